import { connect } from 'node:net'

/** @throws Error while another cluster runs, because its ports are the same */
export async function requireFreePort(port: number): Promise<void> {
  const isTaken = await new Promise<boolean>((resolve) => {
    const probe = connect(port, '127.0.0.1')
    probe.once('connect', () => resolve(true))
    probe.once('error', () => resolve(false))
    probe.once('close', () => probe.destroy())
    setTimeout(() => probe.destroy(), 1_000).unref()
  })
  if (isTaken) throw new Error('Another cluster runs on this machine: npm run ops -- cluster stop')
}
