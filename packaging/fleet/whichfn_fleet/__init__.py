"""Runs whichfn over many repositories, on many machines."""
