/** A storage in memory whose keys are its own properties, as those of the browser's storages are. */
export function makeStorage(): Storage {
  const methods = {
    getItem: (name: string) => (Object.hasOwn(storage, name) ? (storage[name] as string) : null),
    setItem: (name: string, text: string) => void (storage[name] = text),
    removeItem: (name: string) => void delete storage[name],
  }
  const storage = Object.create(methods) as Storage
  return storage
}
