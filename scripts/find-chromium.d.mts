export interface Browser {
  executablePath: string
  /** Variables the browser needs beside those of this process. */
  env: Record<string, string>
}

export const launchArguments: string[]

export function findChromium(): Promise<Browser>
