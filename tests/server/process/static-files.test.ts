// The built app over HTTP: a missing file is a 404 and not the app, and caching headers.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createStaticHandler } from '../../../server/http/static-files.ts'

const PAGE = '<!doctype html><title>Cairn</title>'
const SCRIPT = `console.log(${JSON.stringify('stone upon stone '.repeat(200))})`
let folder: string
let serve: ReturnType<typeof createStaticHandler>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-static-'))
  const dist = join(folder, 'dist')
  await mkdir(join(dist, 'assets'), { recursive: true })
  await writeFile(join(dist, 'index.html'), PAGE)
  await writeFile(join(dist, 'sw.js'), 'self.skipWaiting')
  await writeFile(join(dist, 'manifest.webmanifest'), '{}')
  await writeFile(join(dist, 'assets/app-abc123.js'), SCRIPT)
  await writeFile(join(folder, 'secret.txt'), 'secret')
  await mkdir(join(folder, 'dist-other'))
  await writeFile(join(folder, 'dist-other/secret.txt'), 'secret')
  serve = createStaticHandler(dist)
})
afterAll(() => rm(folder, { recursive: true }))

const get = (path: string, headers = {}, method = 'GET') =>
  serve(new Request(`http://localhost${path}`, { headers, method }))
const NAVIGATION = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

test('a missing asset is not answered with HTML', async () => {
  expect(await get('/assets/gone-123.js', NAVIGATION)).toBeUndefined()
  expect(await get('/assets/gone', NAVIGATION)).toBeUndefined()
  expect(await get('/gone.js', NAVIGATION)).toBeUndefined()
  expect(await get('/success-plans', { Accept: '*/*' })).toBeUndefined()
})

test('an unknown API path is not answered with HTML', async () => {
  expect(await get('/api/v1/nothing', NAVIGATION)).toBeUndefined()
  expect(await get('/oauth/nothing', NAVIGATION)).toBeUndefined()
})

test.each(['/', '/success-plans', '/success-plans/01a1fefb-177b-762f-872f-89d52e33b73e'])(
  'a deep link gets the app: %s',
  async (path) => {
    const page = await get(path, NAVIGATION)
    expect(page?.status).toBe(200)
    expect(page?.headers.get('Content-Type')).toBe('text/html; charset=utf-8')
    expect(await page?.text()).toBe(PAGE)
  },
)

test.each([
  '/../secret.txt',
  '/%2e%2e/secret.txt',
  '/..%2fsecret.txt',
  '/%2e%2e%2fdist-other/secret.txt',
  '/assets/..%2f..%2fsecret.txt',
  '/assets/%2e%2e%5c..%5csecret.txt',
  '/secret.txt%00.js',
  '/%E0%A4%A',
  '//secret.txt',
])('no path leads out of the folder: %s', async (path) => {
  expect(await get(path, { Accept: '*/*' })).toBeUndefined()
})

test('hashed assets are cached for ever, the files that name them are not', async () => {
  const cache = async (path: string) => (await get(path))?.headers.get('Cache-Control')
  expect(await cache('/assets/app-abc123.js')).toBe('public, max-age=31536000, immutable')
  for (const path of [
    '/',
    '/sw.js',
    '/index.html',
    '/manifest.webmanifest',
    '/assets/..%2findex.html',
  ])
    expect(await cache(path)).toBe('no-cache')
})

test('unchanged files are answered with 304, changed ones are sent', async () => {
  const first = await get('/sw.js')
  const etag = first?.headers.get('ETag') ?? ''
  const revalidated = await get('/sw.js', { 'If-None-Match': etag })
  expect(revalidated?.status).toBe(304)
  expect(await revalidated?.text()).toBe('')
  await writeFile(join(folder, 'dist/sw.js'), 'self.skipWaiting()')
  const changed = await get('/sw.js', { 'If-None-Match': etag })
  expect(changed?.status).toBe(200)
  expect(await changed?.text()).toBe('self.skipWaiting()')
})

test('compressed responses decode to the same bytes, each encoding with its own ETag', async () => {
  const path = '/assets/app-abc123.js'
  const bytes = async (reply: Response | undefined) =>
    Buffer.from((await reply?.arrayBuffer()) ?? new ArrayBuffer())
  const plain = await get(path)
  const brotli = await get(path, { 'Accept-Encoding': 'gzip, deflate, br' })
  const gzip = await get(path, { 'Accept-Encoding': 'gzip, br;q=0' })
  expect(brotli?.headers.get('Content-Encoding')).toBe('br')
  expect(gzip?.headers.get('Content-Encoding')).toBe('gzip')
  expect(plain?.headers.get('Content-Encoding')).toBeNull()
  const tags = [plain, brotli, gzip].map((reply) => reply?.headers.get('ETag'))
  expect(new Set(tags).size).toBe(3)
  expect((await bytes(plain)).toString()).toBe(SCRIPT)
  expect(brotliDecompressSync(await bytes(brotli)).toString()).toBe(SCRIPT)
  expect(gunzipSync(await bytes(gzip)).toString()).toBe(SCRIPT)
  expect(brotli?.headers.get('Vary')).toBe('Accept-Encoding')
  expect(Number(brotli?.headers.get('Content-Length'))).toBeLessThan(SCRIPT.length / 5)
})

test('HEAD sends no body', async () => {
  const head = await get('/', {}, 'HEAD')
  expect(head?.headers.get('Content-Length')).toBe(String(PAGE.length))
  expect(await head?.text()).toBe('')
})
