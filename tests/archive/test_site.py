"""x"""
def test_x(site):
    """x"""
    print(site.pages)
    print(site.players)
    print([(r.game, r.status, len(r.snapshots)) for r in site.records])
