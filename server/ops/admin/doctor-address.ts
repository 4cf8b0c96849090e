// The doctor's checks of the address under which users reach the app, and of the proxy in front.
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import * as http from 'node:http'
import * as https from 'node:https'
import { join } from 'node:path'
import { TLSSocket } from 'node:tls'
import type { Configuration } from '../../configuration/configuration.ts'
import { DIST } from '../build.ts'
import type { Finding } from './doctor.ts'

const TIMEOUT_MS = 5_000
const PAGE = 'index.html'
const DAY_MS = 86_400_000
const MIN_CERTIFICATE_DAYS = 14
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[?::1\]?)$/

/** Checks `PUBLIC_URL`, its certificate, and what stands between users and the server. */
export async function examineAddress(configuration: Configuration): Promise<Finding[]> {
  const { publicUrl, host, dist = DIST } = configuration
  if (publicUrl === undefined) return [withoutAddress(host), ...examineProxy(configuration)]
  const address = await examineUrl(new URL(publicUrl))
  const page =
    address.state === 'failed'
      ? []
      : await examinePage(new URL(PAGE, publicUrl).href, join(dist, PAGE))
  return [address, ...page, ...examineProxy(configuration)]
}

const GET_HTTPS =
  'Put a proxy with TLS in front. For a phone on the same desk a tunnel or a local certificate will do, see “A phone on the same desk” in docs/deploy.md.'

const withoutAddress = (host: string): Finding =>
  LOOPBACK.test(host)
    ? { check: 'address', state: 'ok', finding: 'Only this machine reaches the server.' }
    : {
        check: 'address',
        state: 'warning',
        finding: `PUBLIC_URL is not set: links in e-mails lead to this machine alone, and other devices reach the app without HTTPS, so it works online only there. ${GET_HTTPS}`,
      }

async function examineUrl(url: URL): Promise<Finding> {
  const result = (state: Finding['state'], finding: string): Finding => ({
    check: 'address',
    state,
    finding,
  })
  const { protocol, hostname, origin } = url
  if (protocol === 'http:' && !LOOPBACK.test(hostname))
    return result('failed', `${origin} is not HTTPS: the app works online only there. ${GET_HTTPS}`)
  let answer: Awaited<ReturnType<typeof askHealth>>
  try {
    answer = await askHealth(url)
  } catch (error) {
    const reason = reasonOf(error)
    return reason === 'CERT_HAS_EXPIRED'
      ? result('failed', `The certificate of ${origin} has ended. Renew it.`)
      : result(
          'warning',
          `${origin} does not answer from here (${reason}). Check that server and proxy run, and the certificate.`,
        )
  }
  const { status, certificateEndMs } = answer
  if (status !== 200)
    return result('failed', `${origin}/healthz answers ${status}, not 200. Check the proxy.`)
  if (certificateEndMs === undefined) return result('ok', `${origin} answers, on this machine.`)
  const days = Math.floor((certificateEndMs - Date.now()) / DAY_MS)
  return days < MIN_CERTIFICATE_DAYS
    ? result('warning', `The certificate of ${origin} ends in ${days} days. Renew it.`)
    : result('ok', `${origin} answers; its certificate is good for ${days} days.`)
}

/** The status of `/healthz` and, with HTTPS, when its certificate ends. Rejects without an answer. */
async function askHealth(
  url: URL,
): Promise<{ status: number | undefined; certificateEndMs?: number }> {
  const request = url.protocol === 'https:' ? https.request : http.request
  const outgoing = request(new URL('/healthz', url), {
    agent: false,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  outgoing.end()
  try {
    const [{ statusCode: status, socket }] = (await once(outgoing, 'response')) as [
      http.IncomingMessage,
    ]
    return socket instanceof TLSSocket
      ? { status, certificateEndMs: Date.parse(socket.getPeerCertificate().valid_to) }
      : { status }
  } finally {
    outgoing.destroy()
  }
}

/** Compares the page with that of the build, where both are there: devices store it only if it is the same. */
async function examinePage(url: string, file: string): Promise<Finding[]> {
  const own = await readFile(file).catch(() => undefined)
  const options = { headers: { Accept: 'text/html' }, signal: AbortSignal.timeout(TIMEOUT_MS) }
  const given = await fetch(url, options)
    .then((answer) => (answer.ok ? answer.arrayBuffer() : undefined))
    .catch(() => undefined)
  if (!own || !given) return []
  const isSame = own.equals(Buffer.from(given))
  const finding = isSame
    ? 'It arrives as it was built.'
    : `${url} is not the page of this build, so devices cannot store the app: it works online only. Check that the running server has this build, and that no proxy or CDN changes pages.`
  return [{ check: 'page', state: isSame ? 'ok' : 'warning', finding }]
}

/** Why a request got no answer. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  // Of `fetch`, and of a request that took too long, the cause says it.
  const cause = error.cause instanceof Error ? error.cause : error
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name
}

/** Checks that the API of another server answers, in whatever way. */
export async function examineApi(url: string): Promise<Finding> {
  try {
    const { status } = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    return status < 500
      ? { check: 'API', state: 'ok', finding: `${url} answers.` }
      : { check: 'API', state: 'failed', finding: `${url} answers ${status}. Check that server.` }
  } catch (error) {
    const finding = `${url} does not answer (${reasonOf(error)}). Check API_URL and that server.`
    return { check: 'API', state: 'failed', finding }
  }
}

function examineProxy(configuration: Configuration): Finding[] {
  const { trustProxy, publicUrl, host, demoData } = configuration
  const isLocal = LOOPBACK.test(host)
  const findings: Finding[] = []
  const add = (check: string, state: Finding['state'], finding: string) =>
    findings.push({ check, state, finding })
  if (publicUrl?.startsWith('https:') && !trustProxy)
    add(
      'proxy',
      'warning',
      'TRUST_PROXY is not set: behind the proxy all users count as one network. Set it to 1.',
    )
  else if (trustProxy && !isLocal)
    add(
      'proxy',
      'warning',
      `X-Forwarded-For is trusted on ${host}: make sure that only the proxy reaches it.`,
    )
  else add('proxy', 'ok', trustProxy ? 'Trusted, on this machine.' : 'None is configured.')
  if (demoData && !isLocal)
    add(
      'demo data',
      'warning',
      'DEMO_DATA is on, and its passwords are public. Set it to 0 and begin with an empty database.',
    )
  return findings
}
