"""What is to be known about judgments and runs before their numbers are believed."""
