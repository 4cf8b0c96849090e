// Hosting recipes of docs/your-own-api.md: that for nginx serves the app wrongly, or one of them lacks a header.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { request } from 'node:https'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LEVELS } from '../../../conform/report.ts'
import { CAPABILITIES } from '../../../contract/capabilities.ts'
import { Config } from '../../../contract/schemas/config.ts'
import { appConfig } from '../../../server/configuration/configuration.ts'
import { createSecurityHeaders } from '../../../server/http/security-headers.ts'
import { findProgram, isRoot } from '../../browser/fixtures/find-program.ts'
import { waitFor } from '../../wait-for.ts'
import { makeCertificate } from '../fixtures/certificate.ts'

const NGINX = {
  name: 'nginx',
  variable: 'NGINX',
  files: ['nginx', '/usr/sbin/nginx'],
  packages: ['nginx-light'],
  service: 'nginx',
}
const SCRIPT = `console.log(${JSON.stringify('stone upon stone '.repeat(200))})`
const PAGE = '<!doctype html><title>Cairn</title>'
const FILES = {
  'index.html': PAGE,
  'sw.js': 'self.skipWaiting()',
  'config.json': '{}',
  'manifest.webmanifest': '{}',
  'assets/app-abc123.js': SCRIPT,
}

let words: string
let folder: string
let port: number
let stop: () => Promise<void>

/** The recipe of the document in that language. */
const recipeOf = (language: string) =>
  new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(words)?.[1] ?? ''

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return address.port
}

beforeAll(async () => {
  words = await readFile(join(import.meta.dirname, '../../../docs/your-own-api.md'), 'utf8')
  const nginx = findProgram(NGINX)
  folder = await mkdtemp(join(tmpdir(), 'cairn-nginx-'))
  await mkdir(join(folder, 'dist/assets'), { recursive: true })
  for (const [name, content] of Object.entries(FILES))
    await writeFile(join(folder, 'dist', name), content)
  const { key, cert } = makeCertificate(folder)
  port = await freePort()
  const recipe = recipeOf('nginx')
    .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
    .replace('/etc/ssl/cairn.pem', cert)
    .replace('/etc/ssl/cairn.key', key)
    .replace('/srv/cairn/dist', join(folder, 'dist'))
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join(' ')
  const configuration = `
    ${isRoot ? 'user root;' : ''}
    daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log stderr;
    events { }
    http { include /etc/nginx/mime.types; access_log off; ${temporary} ${recipe} }`
  await writeFile(join(folder, 'nginx.conf'), configuration)
  const server = spawn(nginx, ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  server.stderr.on('data', (part: Buffer) => (output += part.toString()))
  stop = async () => {
    if (server.exitCode === null) {
      const exited = once(server, 'exit')
      server.kill('SIGTERM')
      await exited
    }
    await rm(folder, { recursive: true })
  }
  await waitFor(async () => {
    if (server.exitCode !== null) throw new Error(`nginx ended: ${output}`)
    expect((await get('/')).status).toBe(200)
  })
})
afterAll(() => stop())

async function get(path: string, headers: Record<string, string> = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number | undefined
    headers: IncomingHttpHeaders
    text: string
  }>()
  const options = { host: '127.0.0.1', port, path, headers, rejectUnauthorized: false }
  request({ ...options, agent: false }, (response) => {
    let text = ''
    response.on('data', (part: Buffer) => (text += part.toString()))
    response.once('end', () =>
      resolve({ status: response.statusCode, headers: response.headers, text }),
    )
  })
    .once('error', reject)
    .end()
  return promise
}

/** The headers of our own server in front of that API, by lower-case name. */
const ownOf = (path: string) => {
  const headers = new Headers()
  createSecurityHeaders(appConfig({ API_URL: 'https://api.example.com' }))(headers, true, path)
  return Object.fromEntries(headers)
}
const own = ownOf('/')

test.each(['/', '/success-plans', '/success-plans/01a1fefb-177b-762f-872f-89d52e33b73e?edit'])(
  'nginx answers a deep link with the page: %s',
  async (path) => {
    const { status, headers, text } = await get(path)
    expect({ status, text }).toEqual({ status: 200, text: PAGE })
    expect(headers).toMatchObject({
      ...own,
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
    })
  },
)

test('nginx serves assets for ever and compressed', async () => {
  const { status, headers, text } = await get('/assets/app-abc123.js')
  expect({ status, text }).toEqual({ status: 200, text: SCRIPT })
  expect(headers).toMatchObject({
    ...own,
    'cache-control': 'public, max-age=31536000, immutable, no-transform',
  })
  expect(headers['content-type']).toMatch(/^(?:application|text)\/javascript/)
  const compressed = await get('/assets/app-abc123.js', { 'Accept-Encoding': 'gzip' })
  expect(compressed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' })
})

test.each([
  ['/sw.js', /^(?:application|text)\/javascript/],
  ['/config.json', /^application\/json/],
  ['/manifest.webmanifest', /^application\/manifest\+json/],
  ['/index.html', /^text\/html/],
])('nginx has %s revalidated', async (path, type) => {
  const { status, headers } = await get(path)
  expect(status).toBe(200)
  expect(headers).toMatchObject({ ...ownOf(path), 'cache-control': 'no-cache, no-transform' })
  expect(headers['content-type']).toMatch(type)
  const { etag = '' } = headers
  expect((await get(path, { 'If-None-Match': etag })).status).toBe(304)
})

test.each(['/assets/gone-123.js', '/assets/gone', '/gone.js', '/api/v1/userinfo', '/oauth/token'])(
  'nginx does not answer %s with the page, nor has the answer cached',
  async (path) => {
    const { status, headers, text } = await get(path)
    expect(status).toBe(404)
    expect(text).not.toContain(PAGE)
    expect(headers['cache-control']).toBeUndefined()
    expect(headers).toMatchObject(own)
  },
)

test('the recipe for Caddy names the same headers', () => {
  const [page = '', worker = ''] = recipeOf('caddy').split('header @worker')
  const namedIn = (part: string) =>
    Object.fromEntries(
      [...part.matchAll(/^\t\t([A-Z][\w-]+) (?:"([^"]*)"|(\S+))$/gm)].map(
        ([, name = '', quoted, bare]) => [name.toLowerCase(), quoted ?? bare],
      ),
    )
  expect(namedIn(page)).toEqual(own)
  expect({ ...own, ...namedIn(worker) }).toEqual(ownOf('/sw.js'))
})

test('the document names each level, capability and key of the configuration', () => {
  const names = [...Object.keys(CAPABILITIES), ...Object.keys(Config.entries)]
  expect(names.filter((name) => !words.includes(`\`${name}\``))).toEqual([])
  expect(LEVELS.filter((level) => !words.includes(`\n| ${level} |`))).toEqual([])
})
