export interface Browser {
  executablePath: string
  /** Variables that the browser needs in addition to those of this process. */
  env: Record<string, string>
}

export const launchArguments: string[]

export function findChromium(): Promise<Browser>
