import type { Config } from '../../config.ts'

export type FactorSettings = Pick<Config, 'publicUrl' | 'secondFactor' | 'factorKey'>

/** The relying party of passkeys: the host of the public URL, and the origin of its pages. */
export function relyingPartyOf({ publicUrl }: Pick<FactorSettings, 'publicUrl'>): { id: string; origin: string } {
  const { hostname, origin } = new URL(publicUrl)
  return { id: hostname, origin }
}
