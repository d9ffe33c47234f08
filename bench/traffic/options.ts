// The options of `npm run demo:traffic`.

export interface TrafficOptions {
  url: string
  /** Calls per second, over all members. */
  perSecond: number
  /** Number of simulated members. */
  members: number
}

const MAX_PER_SECOND = 1_000
/** All of the demo's members except `member01`, who keeps an empty history. */
export const MAX_MEMBERS = 23

export const help = `npm run demo:traffic -- [--per-second 5] [--members 12] [--url http://localhost:3000]

Members of the demo log in, look around, bet, confirm what waits and cancel, until Ctrl-C. Each second says what came of it.
The last members come first (member24, member23, …); member01 never takes part. A member who logs in elsewhere leaves the pool.
Captchas are answered with CAPTCHA_TEST_ANSWER where it is set as for the application, else by the proof of work.`

/**
 * Reads `--name value` and `--name=value`.
 * @throws Error with a sentence for the terminal
 */
export function readOptions(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): TrafficOptions {
  const given = new Map<string, string>()
  const rest = [...args]
  for (let argument = rest.shift(); argument !== undefined; argument = rest.shift()) {
    const [, name, , value] = /^--([a-z-]+)(=(.*))?$/.exec(argument) ?? []
    if (name === undefined || !['per-second', 'members', 'url'].includes(name))
      throw new Error(`There is no option "${argument}".\n\n${help}`)
    const text = value ?? rest.shift()
    if (text === undefined) throw new Error(`--${name} needs a value.`)
    given.set(name, text)
  }
  return {
    url: readUrl(given.get('url') ?? `http://localhost:${env.PORT || 3000}`),
    perSecond: readNumber('per-second', given.get('per-second') ?? '5', MAX_PER_SECOND),
    members: readNumber('members', given.get('members') ?? '12', MAX_MEMBERS),
  }
}

function readNumber(name: string, text: string, most: number): number {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < 1 || value > most)
    throw new Error(`--${name} must be a whole number from 1 to ${most}, not "${text}".`)
  return value
}

/** Log-ins of the demo are public and its tickets are not real, so it must not be used on someone else's server. */
function readUrl(text: string): string {
  if (!URL.canParse(text)) throw new Error(`--url must be an address such as http://localhost:3000, not "${text}".`)
  const { protocol, hostname, origin } = new URL(text)
  const isLoopback = hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
  if (protocol !== 'http:' || !isLoopback)
    throw new Error(`Traffic goes to this machine alone, over http to localhost, not to "${origin}".`)
  return origin
}
