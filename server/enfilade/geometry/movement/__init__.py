"""Movement: step costs, barriers, reachable cells, and the cells that enemies threaten."""
