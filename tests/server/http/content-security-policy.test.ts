// The origins that a page may contact: its own server, and exactly the configured third parties.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { appConfig } from '../../../server/configuration/configuration.ts'
import { startFrontEnd } from '../../../server/front-end.ts'
import { contentSecurityPolicy } from '../../../server/http/security-headers.ts'

const policy = (env: Record<string, string>) => {
  const directives = contentSecurityPolicy(appConfig(env)).split('; ')
  return Object.fromEntries(directives.map((one) => [one.split(' ', 1)[0], one]))
}
const BARE = policy({})

/** The directives that differ from the policy without any configuration. */
const added = (env: Record<string, string>) =>
  Object.fromEntries(Object.entries(policy(env)).filter(([name, value]) => BARE[name] !== value))

test('without configuration a page may load from its own server only', () => {
  expect(Object.values(BARE).join('; ')).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; " +
      "font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; " +
      "frame-ancestors 'none'; base-uri 'none'; form-action 'self'; object-src 'none'",
  )
})

test.each<[string, Record<string, string>, Record<string, string>]>([
  [
    'the API of another server adds its origin',
    { API_URL: 'https://api.example.com/behind' },
    { 'connect-src': "connect-src 'self' https://api.example.com" },
  ],
  [
    'an API that is passed through adds nothing',
    { API_URL: 'https://a.example', API_PROXY: '1' },
    {},
  ],
  [
    'analytics adds its host to connect-src only',
    { POSTHOG_PUBLIC_KEY: 'phc', POSTHOG_HOST: 'https://eu.i.posthog.com/' },
    { 'connect-src': "connect-src 'self' https://eu.i.posthog.com" },
  ],
  [
    'error reports add the host of the DSN, without its key',
    { SENTRY_DSN: 'https://public@o1.ingest.sentry.io/42' },
    { 'connect-src': "connect-src 'self' https://o1.ingest.sentry.io" },
  ],
  [
    'the bot check adds the origins its provider documents',
    { RECAPTCHA_KEY: 'k' },
    {
      'connect-src': "connect-src 'self' https://www.google.com/recaptcha/",
      'script-src':
        "script-src 'self' https://www.google.com/recaptcha/ https://www.gstatic.com/recaptcha/",
      'frame-src':
        'frame-src https://www.google.com/recaptcha/ https://recaptcha.google.com/recaptcha/',
    },
  ],
  [
    'a bot check with its own script URL adds that origin',
    { RECAPTCHA_KEY: 'k', RECAPTCHA_SCRIPT_URL: 'https://www.recaptcha.net/recaptcha/api.js' },
    {
      'connect-src': "connect-src 'self' https://www.recaptcha.net/recaptcha/",
      'script-src':
        "script-src 'self' https://www.recaptcha.net/recaptcha/ https://www.gstatic.com/recaptcha/",
      'frame-src':
        'frame-src https://www.recaptcha.net/recaptcha/ https://recaptcha.google.com/recaptcha/',
    },
  ],
  ['Google sign-in adds nothing', { GOOGLE_CLIENT_ID: 'g' }, {}],
  [
    'an analytics host without a key adds nothing',
    { POSTHOG_HOST: 'https://eu.i.posthog.com' },
    {},
  ],
  [
    'a bot check script without a key adds nothing',
    { RECAPTCHA_SCRIPT_URL: 'https://check.example' },
    {},
  ],
  [
    'a value that would inject a directive adds nothing',
    { POSTHOG_PUBLIC_KEY: 'phc', POSTHOG_HOST: "https://a;script-src'unsafe-inline'" },
    {},
  ],
])('%s', (_what, env, expected) => {
  expect(added(env)).toEqual(expected)
})

test('an invalid address ends the start', () => {
  expect(() => added({ SENTRY_DSN: 'sentry' })).toThrow(/^SENTRY_DSN must be an address/)
})

test('all origins can be configured together', () => {
  const env = {
    POSTHOG_PUBLIC_KEY: 'phc',
    POSTHOG_HOST: 'https://analytics.example',
    SENTRY_DSN: 'https://key@errors.example/1',
    RECAPTCHA_KEY: 'k',
  }
  expect(policy(env)['connect-src']).toBe(
    "connect-src 'self' https://analytics.example https://errors.example https://www.google.com/recaptcha/",
  )
})

test('the policy of the worker, which a browser keeps until the next build, allows each API and no other script', async () => {
  const dist = await mkdtemp(join(tmpdir(), 'cairn-policy-'))
  await writeFile(join(dist, 'index.html'), '<!doctype html><title>Cairn</title>')
  await writeFile(join(dist, 'sw.js'), 'self.skipWaiting()')
  const url = 'https://api.example'
  const server = await startFrontEnd({
    port: 0,
    host: '127.0.0.1',
    api: { url, isProxied: false },
    dist,
    config: appConfig({ API_URL: url, RECAPTCHA_KEY: 'k' }),
    trustProxy: false,
  })
  onTestFinished(async () => {
    await server.stop()
    await rm(dist, { recursive: true })
  })
  const policyOf = async (path: string) => {
    const { headers } = await fetch(server.url + path)
    return headers.get('Content-Security-Policy')?.split('; ')
  }
  const page = await policyOf('/index.html')
  const worker = await policyOf('/sw.js')
  expect(page).toContain(`connect-src 'self' ${url} https://www.google.com/recaptcha/`)
  expect(worker).toEqual(
    Object.values(BARE).map((one) =>
      one === "connect-src 'self'" ? "connect-src 'self' https: http:" : one,
    ),
  )
})
