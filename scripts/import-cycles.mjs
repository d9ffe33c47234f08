// Cycles in a graph of imports.

/**
 * @param {ReadonlyMap<string, readonly string[]>} graph for each node those it imports
 * @returns {string[][]} for each strongly connected component one short cycle, whose first node is repeated at its end;
 * further cycles of the component are found once this one is gone
 */
export function findCycles(graph) {
  const cycles = []
  const reversed = reverse(graph)
  const done = new Set()
  for (const node of graph.keys()) {
    if (done.has(node)) continue
    const cycle = findCycleThrough(graph, node)
    if (!cycle) continue
    cycles.push(cycle)
    const reached = searchFrom(graph, node)
    for (const each of searchFrom(reversed, node).keys()) if (reached.has(each)) done.add(each)
  }
  return cycles
}

/** A shortest path from a node back to itself, or undefined. */
function findCycleThrough(graph, start) {
  const cameFrom = searchFrom(graph, start)
  if (!cameFrom.has(start)) return undefined
  const cycle = [start]
  do cycle.unshift(cameFrom.get(cycle[0]))
  while (cycle[0] !== start)
  return cycle
}

/** Breadth first: every node that is reachable from `start`, each with its predecessor. */
function searchFrom(graph, start) {
  const cameFrom = new Map()
  const queue = [start]
  for (const node of queue)
    for (const next of graph.get(node) ?? []) {
      if (cameFrom.has(next)) continue
      cameFrom.set(next, node)
      if (next !== start) queue.push(next)
    }
  return cameFrom
}

function reverse(graph) {
  const reversed = new Map()
  for (const [node, targets] of graph)
    for (const target of targets) reversed.set(target, [...(reversed.get(target) ?? []), node])
  return reversed
}
