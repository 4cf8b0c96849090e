// The configuration sent to the app: safe redirect rules, and no secrets.
import { createECDH } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as v from 'valibot'
import { OWN_CAPABILITIES } from '../../../contract/capabilities.ts'
import { apiAddress } from '../../../contract/engine-table.ts'
import { Config } from '../../../contract/schemas/config.ts'
import { appConfig, readConfiguration } from '../../../server/configuration/configuration.ts'
import { SETTINGS, misspeltSettings } from '../../../server/configuration/unknown-settings.ts'
import { isSameServer } from '../../../src/sync/core/api/address.ts'
import { ApiFixture } from '../fixtures/api-fixture.ts'

let world: ApiFixture
beforeAll(async () => {
  world = await ApiFixture.open()
})
afterAll(() => world.close())

const redirects = (rules: unknown) =>
  readConfiguration({ REDIRECTS: JSON.stringify(rules) }).app.redirects

test('rules reach the app as configured', async () => {
  const rules = [
    { from: '/help', to: 'https://help.example.com/start?a=1#b', external: true },
    { from: '/plans', to: '/success-plans?view=mine#top' },
    { from: '/auth/sso', to: 'http://sso.example.com', external: true },
    { from: '/docs', to: 'https://docs.example.com/help', external: true },
  ]
  const app = world.appWith({ config: appConfig({ REDIRECTS: JSON.stringify(rules) }) })
  const { json } = await world.call('GET', '/config.json', {}, app)
  expect(json.redirects).toEqual([rules[0], { ...rules[1], external: false }, rules[2], rules[3]])
  expect(readConfiguration({}).app.redirects).toEqual([])
  expect(readConfiguration({ REDIRECTS: '' }).app.redirects).toEqual([])
})

test('a path with a slash at its end, or with other letters, is the one that the app compares', () => {
  const rules = [
    { from: '/help/', to: '/accounts' },
    { from: '/früher//', to: '/templates' },
    { from: '/', to: '/success-plans' },
  ]
  expect(redirects(rules)?.map(({ from }) => from)).toEqual(['/help', '/fr%C3%BCher', '/'])
})

test('a rule that is there in another spelling, or leads to its own path in one, is left out', () => {
  const help = { from: '/help', to: 'https://help.example.com', external: true }
  const rules = [
    help,
    { ...help, from: '/help/' },
    { from: '/plans/', to: '/plans' },
    { from: '/auth/', to: '/auth' },
    { from: '/früher', to: '/fr%C3%BCher/?now' },
    { from: '/plans', to: '/success-plans' },
  ]
  expect(redirects(rules)).toEqual([help, { ...rules.at(-1), external: false }])
})

const to = (target: string, external?: boolean) => [
  { from: '/a', to: target, ...(external !== undefined && { external }) },
]

test.each([
  ['a target that runs code', to('javascript:alert(1)', true)],
  ['a target that is data', to('data:text/html,x', true)],
  ['a target that is a file', to('file:///etc/passwd', true)],
  ['another site that is not marked', to('https://evil.example')],
  ['another site that is marked as none', to('https://evil.example', false)],
  ['another site without its protocol', to('//evil.example')],
  ['the same, marked', to('//evil.example', true)],
  ['a site without a name', to('//')],
  ['another site by a backslash', to('/\\evil.example')],
  ['the same, marked', to('https:\\\\evil.example', true)],
  ['another site behind a tab', to('/\t/evil.example')],
  ['another site behind a space', to(' https://evil.example', true)],
  ['another site in the shape of a user', to('https://cairn.example.com@evil.example', true)],
  ['a path that is marked as another site', to('/b', true)],
  ['no path', to('b')],
  ['nothing', to('')],
  ['a beginning that is no path', [{ from: 'https://a.example', to: '/b' }]],
  ['a beginning that is another site', [{ from: '//a.example', to: '/b' }]],
  ['a beginning with a question', [{ from: '/a?b', to: '/b' }]],
  ['a circle', to('/a')],
  ['a circle with a question', to('/a?again')],
  ['a circle of two', [...to('/b'), { from: '/b', to: '/a' }]],
  ['a chain', [...to('/b'), { from: '/b', to: '/c' }]],
  ['a chain by a slash', [...to('/b/'), { from: '/b', to: '/c' }]],
  ['a chain by an escape', [...to('/%C3%BC'), { from: '/ü', to: '/c' }]],
  ['a path twice', [...to('/b'), ...to('/c')]],
  ['a path twice by a slash', [...to('/b'), { from: '/a/', to: '/c' }]],
  ['away from signing in, to where guards lead back', [{ from: '/auth', to: '/accounts' }]],
  ['the same with a slash', [{ from: '/auth/', to: '/accounts' }]],
  ['away from the organisations', [{ from: '/organisations', to: '/accounts' }]],
  ['a flag in words', [{ from: '/a', to: 'https://b.example', external: 'yes' }]],
  ['a misspelt flag', [{ from: '/a', to: '/b', extern: true }]],
  ['no list', { from: '/a', to: '/b' }],
  ['no rule', ['/a']],
])('%s stops the start', (_what, rules) => {
  expect(() => redirects(rules)).toThrow(/^REDIRECTS must be a JSON list/)
})

test('invalid JSON stops the start', () => {
  expect(() => readConfiguration({ REDIRECTS: '/a=/b' })).toThrow(/this is not JSON/)
})

test.for(['nonsense', 'ids, Keys', 'ids,,keys', 'keys=soon', 'ids=5', 'toString'])(
  'API_CAPABILITIES "%s" stops the start with the names that there are',
  (API_CAPABILITIES) => {
    const env = { API_URL: 'https://api.example.com', API_CAPABILITIES }
    expect(() => readConfiguration(env)).toThrow(
      /^API_CAPABILITIES must be a list of ids, keys, .*, not "[^"\n]*"\.$/,
    )
    expect(() => readConfiguration({ API_CAPABILITIES })).toThrow(/^API_CAPABILITIES/)
  },
)

test('every capability can be named in API_CAPABILITIES', () => {
  const list = OWN_CAPABILITIES
  const { app } = readConfiguration({ API_URL: 'https://api.example.com', API_CAPABILITIES: list })
  expect(app.capabilities).toBe(OWN_CAPABILITIES)
})

test('the app learns the former addresses of its API', () => {
  const API_FORMER_URLS = 'https://old.example.com/behind/, http://10.0.0.1:8080 /'
  const { app } = readConfiguration({ API_URL: 'https://api.example.com', API_FORMER_URLS })
  const read = v.parse(Config, JSON.parse(JSON.stringify(app)))
  const address = apiAddress(read)
  for (const bound of ['https://old.example.com/behind', 'http://10.0.0.1:8080', ''])
    expect([bound, isSameServer(address, bound)]).toEqual([bound, true])
  expect(isSameServer(address, 'https://other.example.com')).toBe(false)
})

test.for(['old.example.com', 'https://a.example https://user@b.example', 'https://a.example/../b'])(
  'API_FORMER_URLS "%s" stops the start',
  (API_FORMER_URLS) => {
    expect(() => readConfiguration({ API_FORMER_URLS })).toThrow(
      /^API_FORMER_URLS must be addresses such as https:\/\/api\.example\.com, or \/, not "[^"\s]*"\.$/,
    )
  },
)

const vapid = createECDH('prime256v1')
vapid.setPrivateKey(Buffer.alloc(32, 7))
const PUBLIC = {
  API_CAPABILITIES: 'ids, keys=60',
  API_FORMER_URLS: 'https://former.api.example.com',
  PROFESSIONAL_PRICE: '€19 per member a month',
  REGISTRATION: 'invited',
  VAPID_PUBLIC_KEY: vapid.getPublicKey('base64url'),
  CLIENT_ID: 'public-client',
  CLIENT_SECRET: 'public-identifier',
  ENVIRONMENT: 'staging',
  POSTHOG_PUBLIC_KEY: 'phc_public',
  POSTHOG_HOST: 'https://posthog.example.com',
  RECAPTCHA_KEY: 'recaptcha-public',
  RECAPTCHA_SCRIPT_URL: 'https://check.example.com/recaptcha/api.js',
  SENTRY_DSN: 'https://public@sentry.example.com/1',
  SENTRY_ORG: 'sentry-org',
  SENTRY_PROJECT_ID: 'sentry-project',
  GOOGLE_CLIENT_ID: 'google-client',
  GOOGLE_AUTHORIZATION_URL: 'https://issuer.example.com/authorize',
  OIDC_NAME: 'Acme ID',
  REDIRECTS: '[{"from":"/help","to":"https://help.example.com","external":true}]',
}
const KEPT = {
  PORT: '61234',
  API_URL: 'https://kept.api.example.com',
  API_PROXY: '1',
  CORS_ORIGINS: 'https://kept.app.example.com',
  HOST: '10.9.8.7',
  DATA_DIR: '/kept/data',
  DATABASE_URL: 'postgres://app:kept-password@db.internal/cairn',
  DATABASE_OWNER_URL: 'postgres://owner:kept-password@db.internal/cairn',
  DATABASE_LISTEN_URL: 'postgres://app:kept-password@listen.internal/cairn',
  TOKEN_KEY: '5e'.repeat(32),
  DIST: '/kept/dist',
  DEMO_DATA: '0',
  TRUST_PROXY: '1',
  PUBLIC_URL: 'https://kept.example.com',
  ACCESS_TOKEN_SECONDS: '54321',
  METRICS_TOKEN: 'kept-metrics-token',
  LOG: 'json',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://kept.collector:4318',
  BACKUP_EVERY: '12h',
  BACKUP_KEEP: '543',
  BACKUP_DIR: '/kept/backups',
  BACKUP_PASSPHRASE: 'kept-passphrase',
  OIDC_ISSUER: 'https://kept.id.example.com',
  OIDC_CLIENT_ID: 'kept-client',
  OIDC_CLIENT_SECRET: 'kept-client-secret',
  OIDC_DOMAINS: 'kept.example.com',
  SMTP_URL: 'smtps://mailer:kept-password@mail.internal',
  MAIL_FROM: 'Cairn <kept@example.com>',
  GOOGLE_ISSUER: 'https://kept.issuer.example.com',
  STRIPE_SECRET_KEY: 'sk_kept',
  STRIPE_WEBHOOK_SECRET: 'whsec_kept',
  STRIPE_PRICE: 'price_kept',
  STRIPE_URL: 'https://kept.stripe.example.com',
  RECAPTCHA_SECRET: 'kept-recaptcha-secret',
  RECAPTCHA_THRESHOLD: '0.654321',
  RECAPTCHA_URL: 'https://kept.recaptcha.example.com',
  VAPID_PRIVATE_KEY: vapid.getPrivateKey('base64url'),
  VAPID_SUBJECT: 'mailto:kept@example.com',
  PUSH_SERVICES: 'https://kept.push.example.com',
}

const without = (names: RegExp): Record<string, string> =>
  Object.fromEntries(Object.entries({ ...PUBLIC, ...KEPT }).filter(([name]) => !names.test(name)))
const WITH_API = without(/^(DATABASE|BACKUP)_/)
const WITH_DATABASE = without(/^API_(URL|PROXY)$/)

/** The names of the environment variables that the server reads. */
function namesRead(): string[] {
  const names = new Set<string>()
  for (const values of [WITH_API, WITH_DATABASE])
    readConfiguration(
      new Proxy(values, {
        get(all, name) {
          names.add(String(name))
          return Reflect.get(all, name) as unknown
        },
      }),
    )
  // Files of secrets are a second way to set the same.
  return [...names].filter((name) => !name.endsWith('_FILE')).toSorted()
}

test('the app gets no server settings', async () => {
  expect(namesRead()).toEqual(Object.keys({ ...PUBLIC, ...KEPT }).toSorted())
  const published = (env: Record<string, string>) =>
    world.call('GET', '/config.json', {}, world.appWith({ config: readConfiguration(env).app }))
  for (const { text } of [await published(WITH_DATABASE), await published(WITH_API)]) {
    for (const [name, value] of Object.entries(KEPT))
      if (value.length > 1) expect([name, text.includes(value)]).toEqual([name, false])
    expect(text).not.toMatch(/kept|secret_|sk_|whsec_/)
  }
  const { json } = await published(WITH_API)
  for (const value of Object.values(PUBLIC).filter((value) => !value.startsWith('[')))
    expect(Object.values(json).flat()).toContain(value)
})

test('the names that misspelt ones are compared with are those that the server reads', () => {
  expect(SETTINGS.toSorted()).toEqual(namesRead())
})

test.for([
  ['BACKUP_EVRY', 'BACKUP_EVERY'],
  ['BACKUP_FOLDER', 'BACKUP_DIR'],
  ['DATABSE_URL', 'DATABASE_URL'],
  ['TOKEN_KEY_FIEL', 'TOKEN_KEY_FILE'],
  ['public_url', 'PUBLIC_URL'],
  ['API_URI', 'API_URL'],
  ['DATABASEURL', 'DATABASE_URL'],
  ['MAIL_FORM', 'MAIL_FROM'],
  ['PUBLC_URL', 'PUBLIC_URL'],
] as const)('%s is taken for a misspelt %s', ([name, similar]) => {
  expect(misspeltSettings({ [name]: 'x', PORT: '1' })).toEqual([{ name, similar }])
})

test('names of other programs and empty variables are taken for no setting', () => {
  const others =
    'HOME HOSTNAME PATH LOGNAME LANG NODE_ENV REDIS_URL DATABASE_HOST SMTP_PORT TZ ' +
    'APP_URL SENTRY_URL DATADIR STRIPE_KEY API_KEY APP_PORT CLIENT_IP DATE_DIR MAIN_FROM'
  const env = Object.fromEntries(others.split(' ').map((name) => [name, 'x']))
  expect(misspeltSettings({ ...env, BACKUP_EVRY: '', TOKEN_KEY_FILE: 'x' })).toEqual([])
})

test('every setting is documented', () => {
  const words = readFileSync(join(import.meta.dirname, '../../../docs/configuration.md'), 'utf8')
  expect(namesRead().filter((name) => !words.includes(`\`${name}\``))).toEqual([])
})

test.each([
  [{ SMTP_URL: 'smtp://mail' }, 'MAIL_FROM missing: SMTP_URL, MAIL_FROM must be set together.'],
  [
    { SMTP_URL: 'https://mail', MAIL_FROM: 'a@b' },
    'SMTP_URL must be an address that begins with smtps:// or smtp://.',
  ],
  [
    { SMTP_URL: 'smtp://mail', MAIL_FROM: 'Cairn' },
    'MAIL_FROM must be like Cairn <cairn@example.com>.',
  ],
  [
    { SMTP_URL: 'smtp://mail', MAIL_FROM: 'a@b\r\nBcc: eve@example.com' },
    'MAIL_FROM must be like Cairn <cairn@example.com>.',
  ],
  [
    { STRIPE_SECRET_KEY: 'sk_live_secret' },
    'STRIPE_WEBHOOK_SECRET and STRIPE_PRICE missing: STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_PRICE must be set together.',
  ],
  [
    { OIDC_ISSUER: 'https://id.example.com' },
    'OIDC_CLIENT_ID and OIDC_NAME missing: OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_NAME must be set together.',
  ],
  [
    { OIDC_ISSUER: 'id.example.com', OIDC_CLIENT_ID: 'c', OIDC_NAME: 'Acme' },
    'OIDC_ISSUER must be an address that begins with https:// or http://.',
  ],
  [
    {
      OIDC_ISSUER: 'https://id.example.com',
      OIDC_CLIENT_ID: 'c',
      OIDC_NAME: 'Acme',
      OIDC_DOMAINS: 'olga@acme.example',
    },
    'OIDC_DOMAINS must be domains such as example.com, not "olga@acme.example".',
  ],
  [{ RECAPTCHA_SECRET: 's' }, 'RECAPTCHA_KEY missing: without it no one can pass the bot check.'],
  [
    { RECAPTCHA_SECRET: 's', RECAPTCHA_KEY: 'k', RECAPTCHA_THRESHOLD: '1.5' },
    'RECAPTCHA_THRESHOLD must be a number from 0 to 1, not "1.5".',
  ],
  [
    { GOOGLE_CLIENT_ID: 'g', GOOGLE_ISSUER: 'accounts.google.com' },
    'GOOGLE_ISSUER must be an address that begins with https:// or http://.',
  ],
  [
    { GOOGLE_CLIENT_ID: 'g', GOOGLE_ISSUER: 'https://issuer.example.com' },
    'GOOGLE_AUTHORIZATION_URL missing: it is required with another GOOGLE_ISSUER.',
  ],
  [
    { RECAPTCHA_KEY: 'k', RECAPTCHA_SCRIPT_URL: 'javascript:alert(1)' },
    'RECAPTCHA_SCRIPT_URL must be an address that begins with https:// or http://.',
  ],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://me:secret@localhost:4318' },
    'OTEL_EXPORTER_OTLP_ENDPOINT must be an address without a user name and password.',
  ],
  [
    { OIDC_ISSUER: 'https://good.example@evil.example', OIDC_CLIENT_ID: 'i', OIDC_NAME: 'N' },
    'OIDC_ISSUER must be an address without a user name and password.',
  ],
  [
    { OIDC_ISSUER: 'https:///evil.example', OIDC_CLIENT_ID: 'i', OIDC_NAME: 'N' },
    'OIDC_ISSUER must be an address that begins with https:// or http://.',
  ],
  ...[
    'https:posthog.example.com',
    'posthog.example.com',
    'javascript:alert(1)',
    'https://',
  ].flatMap((url): [Record<string, string>, string][] =>
    ['POSTHOG_HOST', 'SENTRY_DSN'].map((name) => [
      { [name]: url },
      `${name} must be an address that begins with https:// or http://.`,
    ]),
  ),
  [
    { POSTHOG_HOST: 'https://me@posthog.example.com' },
    'POSTHOG_HOST must be an address without a user name and password.',
  ],
  ...[
    'https://me@cairn.example.com',
    'https://cairn.example.com:99999',
    'https://cairn..example.com:x',
    'https://CAIRN.example.com',
    'https:cairn.example.com',
    'https://cairn.example.com/path',
    'https://cairn.example.com//',
  ].map((url): [Record<string, string>, string] => [
    { PUBLIC_URL: url },
    `PUBLIC_URL must be like https://cairn.example.com, not "${url}".`,
  ]),
])('an incomplete connection is reported at start: %j', (env, words) => {
  expect(() => readConfiguration(env)).toThrow(words)
})

test('the address of the server may end in a slash', () => {
  const read = (PUBLIC_URL: string) => readConfiguration({ PUBLIC_URL }).publicUrl
  expect(read('https://cairn.example.com:8443/')).toBe('https://cairn.example.com:8443')
})

test('the address of the server may name the port that is its protocol’s own', () => {
  const read = (PUBLIC_URL: string) => readConfiguration({ PUBLIC_URL }).publicUrl
  expect(read('http://localhost:80')).toBe('http://localhost')
  expect(read('http://localhost:443')).toBe('http://localhost:443')
  expect(read('https://cairn.example.com:443/')).toBe('https://cairn.example.com')
})

test.each(['DEMO_DATA', 'TRUST_PROXY', 'API_PROXY'])('%s is 1 or 0', (name) => {
  const read = (value: string) => {
    const { demoData, trustProxy, api } = readConfiguration({
      API_URL: 'https://api.example.com',
      [name]: value,
    })
    return { DEMO_DATA: demoData, TRUST_PROXY: trustProxy, API_PROXY: api?.isProxied }[name]
  }
  expect(read('1')).toBe(true)
  expect(read('0')).toBe(false)
  expect(read('')).toBe(name === 'DEMO_DATA')
  for (const value of ['false', 'true', 'no', 'off', '00'])
    expect(() => read(value)).toThrow(`${name} must be 1 (on) or 0 (off), not "${value}".`)
})

test('backups by themselves are configured by an interval', () => {
  const read = (env: Record<string, string>) => readConfiguration({ DATA_DIR: '/data', ...env })
  expect(read({}).backups).toBeUndefined()
  expect(read({ BACKUP_EVERY: '12h' }).backups).toEqual({
    everyMs: 43_200_000,
    keep: 7,
    dir: '/data/backups',
    passphrase: undefined,
  })
  const all = { BACKUP_KEEP: '3', BACKUP_DIR: '/elsewhere', BACKUP_PASSPHRASE: 'words' }
  expect(read({ BACKUP_EVERY: '1d', ...all }).backups).toEqual({
    everyMs: 86_400_000,
    keep: 3,
    dir: '/elsewhere',
    passphrase: 'words',
  })
})

test.each<[Record<string, string>, string]>([
  [{ BACKUP_EVERY: '1' }, 'BACKUP_EVERY must be from 1m to 31d, such as 12h, not "1".'],
  [{ BACKUP_EVERY: '0m' }, 'BACKUP_EVERY must be from 1m to 31d, such as 12h, not "0m".'],
  [{ BACKUP_EVERY: '32d' }, 'BACKUP_EVERY must be from 1m to 31d, such as 12h, not "32d".'],
  [
    { BACKUP_EVERY: '1d', BACKUP_KEEP: '0' },
    'BACKUP_KEEP must be a whole number from 1 to 1000, not "0".',
  ],
  [
    { ACCESS_TOKEN_SECONDS: '0' },
    'ACCESS_TOKEN_SECONDS must be a whole number from 1 to 86400, not "0".',
  ],
  ...['mysql://me:secret@db/cairn', 'cairn', 'me:secret@db/cairn'].flatMap(
    (DATABASE_URL): [Record<string, string>, string][] => [
      [
        { DATABASE_URL },
        'DATABASE_URL must be an address that begins with postgres:// or postgresql://.',
      ],
      [
        { DATABASE_URL: 'postgres://db/cairn', DATABASE_OWNER_URL: DATABASE_URL },
        'DATABASE_OWNER_URL must be an address that begins with postgres:// or postgresql://.',
      ],
    ],
  ),
  ...['postgres://me:se#cret@db/cairn', 'postgres://me:secret@db:abc/cairn'].flatMap((wrong) =>
    ['DATABASE_URL', 'DATABASE_OWNER_URL', 'DATABASE_LISTEN_URL'].map(
      (name): [Record<string, string>, string] => [
        { DATABASE_URL: 'postgres://db/cairn', [name]: wrong },
        `${name} cannot be read as an address. In a password write # as %23, / as %2F, ? as %3F, and @ as %40.`,
      ],
    ),
  ),
  [
    { DATABASE_OWNER_URL: 'postgres://owner@db/cairn' },
    'DATABASE_URL missing: DATABASE_OWNER_URL has no effect without it.',
  ],
  ...[
    ['GOOGLE_ISSUER', 'GOOGLE_CLIENT_ID'],
    ['OIDC_DOMAINS', 'OIDC_ISSUER'],
    ['PUSH_SERVICES', 'VAPID_PUBLIC_KEY'],
    ['RECAPTCHA_THRESHOLD', 'RECAPTCHA_KEY'],
    ['STRIPE_URL', 'STRIPE_SECRET_KEY'],
  ].map(([name = '', needed]): [Record<string, string>, string] => [
    { [name]: 'x' },
    `${needed} missing: ${name} has no effect without it.`,
  ]),
  ...[
    ['DATABASE_URL', 'postgres://db/cairn'],
    ['DATABASE_OWNER_URL', 'postgres://db/cairn'],
    ['DATABASE_LISTEN_URL', 'postgres://db/cairn'],
    ['BACKUP_EVERY', '1d'],
  ].map(([name = '', value = '']): [Record<string, string>, string] => [
    { API_URL: 'https://api.example.com', [name]: value },
    `${name} has no effect with API_URL: there is no database here. Remove one of them.`,
  ]),
  ...[
    ['HOST', ' 0.0.0.0'],
    ['DATA_DIR', '/data '],
    ['METRICS_TOKEN', 'token\r'],
    ['TRUST_PROXY', ' 1'],
    ['DIST', ' '],
  ].map(([name = '', value = '']): [Record<string, string>, string] => [
    { [name]: value },
    `${name} begins or ends with white space. Remove it.`,
  ]),
  [{ BACKUP_DIR: '/x' }, 'BACKUP_EVERY missing: BACKUP_DIR has no effect without it.'],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4318' },
    'OTEL_EXPORTER_OTLP_ENDPOINT must be like http://localhost:4318, not "localhost:4318".',
  ],
])('%o ends the start with one line', (env, message) => {
  expect(() => readConfiguration(env)).toThrow(message)
})
