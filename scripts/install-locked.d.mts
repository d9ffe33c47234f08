/**
 * Installs the locked packages of a folder of the project if they are not installed.
 * @param place a folder with its own lock file; the whole project by default
 */
export function installLocked(place?: string): Promise<void>
