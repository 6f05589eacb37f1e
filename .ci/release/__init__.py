"""What a release is made with: wheel and sdist, their bill of materials, and the lists of what 1.x keeps."""
