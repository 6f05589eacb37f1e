"""What commands ask and print."""
