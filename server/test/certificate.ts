// A certificate for a receiver over TLS that a test runs itself.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A key, and a self-signed certificate for this host name. */
export function makeCertificate(host: string): { key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', `/CN=${host}`],
      ...['-addext', `subjectAltName=DNS:${host}`, '-keyout', key, '-out', cert],
    ],
    { stdio: 'ignore' },
  )
  const certificate = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
  rmSync(folder, { recursive: true })
  return certificate
}
