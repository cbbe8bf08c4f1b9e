"""Why a number is what it is: what conventions make of one run."""
