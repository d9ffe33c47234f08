// Finds entries of package-lock.json that no package depends on, which a merge can leave. `npm ci` never installs them,
// so every check of the installed packages fails, and every start reinstalls them.

/** The path that a package at `from` resolves `name` to, in the nearest node_modules above it. */
function resolve(packages, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf('/'), 0))) {
    const path = `${folder}${folder && '/'}node_modules/${name}`
    if (packages[path]) return path
    if (folder === '') return undefined
  }
}

/**
 * @param {Record<string, Record<string, any>>} packages the `packages` of a lock file
 * @returns {string[]} paths
 */
export function orphans(packages) {
  const waiting = Object.keys(packages).filter((path) => !path.includes('node_modules/'))
  const reached = new Set(waiting)
  for (const path of waiting) {
    const entry = packages[path]
    const names = entry.link
      ? []
      : ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'].flatMap((kind) =>
          kind === 'devDependencies' && path.includes('node_modules/') ? [] : Object.keys(entry[kind] ?? {}),
        )
    for (const name of names) {
      const found = resolve(packages, path, name)
      if (!found || reached.has(found)) continue
      reached.add(found)
      waiting.push(found)
    }
  }
  return Object.keys(packages).filter((path) => !reached.has(path) && !packages[path].link)
}
