// The doctor calls an address healthy that browsers refuse today, or will in a few days.
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { readConfiguration } from '../../../server/configuration/configuration.ts'
import { examineAddress } from '../../../server/ops/admin/doctor-address.ts'
import { makeCertificate } from '../fixtures/certificate.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

let folder: string
const trusted = getCACertificates()
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-certificate-'))
})
afterAll(() => rm(folder, { recursive: true }))

const healthy: RequestListener = (incoming, outgoing) =>
  outgoing.writeHead(incoming.url === '/healthz' ? 200 : 404).end()

/** What the doctor says of a server with such a certificate, which this machine trusts. */
async function findingOf(
  leftMs: number,
  { host = 'localhost', answer = healthy, trust = true } = {},
) {
  const { key, cert } = makeCertificate(folder, leftMs)
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, answer)
  await once(server.listen(0), 'listening')
  if (trust) setDefaultCACertificates([...trusted, readFileSync(cert, 'utf8')])
  onTestFinished(async () => {
    setDefaultCACertificates(trusted)
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  const origin = `https://${host}:${port}`
  const [found] = await examineAddress(readConfiguration({ PUBLIC_URL: origin }))
  return `${found?.state}: ${found?.finding.replace(origin, 'ORIGIN')}`
}

// Not every container has IPv6.
const hasIpv6 = networkInterfaces()['lo']?.some(({ family }) => family === 'IPv6') === true
test.each(['localhost', '127.0.0.1', ...(hasIpv6 ? ['[::1]'] : [])])(
  'a certificate of %s that is good for long is ok, with its days',
  async (host) => {
    expect(await findingOf(20 * DAY_MS + HOUR_MS, { host })).toBe(
      'ok: ORIGIN answers; its certificate is good for 20 days.',
    )
  },
)

test('a certificate with less than two weeks left is a warning, and with two weeks it is none', async () => {
  expect(await findingOf(14 * DAY_MS - HOUR_MS)).toBe(
    'warning: The certificate of ORIGIN ends in 13 days. Renew it.',
  )
  expect(await findingOf(14 * DAY_MS + HOUR_MS)).toMatch(/^ok: .* is good for 14 days\.$/)
  expect(await findingOf(HOUR_MS)).toMatch(/^warning: .* ends in 0 days\. Renew it\.$/)
})

test('a certificate that has ended is a failure', async () => {
  expect(await findingOf(-HOUR_MS)).toBe('failed: The certificate of ORIGIN has ended. Renew it.')
})

test('a certificate that this machine does not trust is a warning: devices may trust it', async () => {
  expect(await findingOf(20 * DAY_MS, { trust: false })).toMatch(
    /^warning: ORIGIN does not answer from here \(DEPTH_ZERO_SELF_SIGNED_CERT\)\. .* and the certificate\.$/,
  )
})

test('a proxy that has a good certificate and no server behind it is a failure', async () => {
  const answer: RequestListener = (_incoming, outgoing) => outgoing.writeHead(502).end()
  expect(await findingOf(20 * DAY_MS, { answer })).toBe(
    'failed: ORIGIN/healthz answers 502, not 200. Check the proxy.',
  )
})
