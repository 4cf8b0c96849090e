// The built app over HTTP: a missing file is a 404 and not the app, and caching headers.
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Dictionaries } from '../../../server/http/files/dictionaries.ts'
import { createStaticHandler } from '../../../server/http/files/static-files.ts'

const PAGE = '<!doctype html><title>Cairn</title>'
const SCRIPT = `console.log(${JSON.stringify('stone upon stone '.repeat(200))})`
let folder: string
let serve: ReturnType<typeof createStaticHandler>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-static-'))
  const dist = join(folder, 'dist')
  await mkdir(join(dist, 'assets'), { recursive: true })
  await mkdir(join(dist, 'icons'))
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
  expect(await get('/icons/gone.png', NAVIGATION)).toBeUndefined()
  expect(await get('/success-plans', { Accept: '*/*' })).toBeUndefined()
})

test('an unknown API path is not answered with HTML', async () => {
  expect(await get('/api/v1/nothing', NAVIGATION)).toBeUndefined()
  expect(await get('/oauth/nothing', NAVIGATION)).toBeUndefined()
})

test.each([
  '/',
  '/success-plans',
  '/success-plans/01a1fefb-177b-762f-872f-89d52e33b73e',
  '/success-plans/plan.7',
  '/accounts/acme.example.com',
])('a deep link gets the app: %s', async (path) => {
  const page = await get(path, NAVIGATION)
  expect(page?.status).toBe(200)
  expect(page?.headers.get('Content-Type')).toBe('text/html; charset=utf-8')
  expect(await page?.text()).toBe(PAGE)
})

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

test('hashed assets are cached for ever, the files that name them are not, and no proxy may change any', async () => {
  const cache = async (path: string) => (await get(path))?.headers.get('Cache-Control')
  expect(await cache('/assets/app-abc123.js')).toBe(
    'public, max-age=31536000, immutable, no-transform',
  )
  for (const path of [
    '/',
    '/sw.js',
    '/index.html',
    '/manifest.webmanifest',
    '/assets/..%2findex.html',
  ])
    expect(await cache(path)).toBe('no-cache, no-transform')
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

describe('a file of which the browser has an earlier content', () => {
  const OFFERS = { 'Accept-Encoding': 'gzip, deflate, br, zstd, dcb, dcz' }
  const script = (word: string) => `${SCRIPT}; console.log('${word}')`
  const offer = (text: string) => ({
    ...OFFERS,
    'Available-Dictionary': `:${createHash('sha256').update(text).digest('base64')}:`,
  })
  let kept: Dictionaries

  /** A build with one chunk and another one; kept, and served from then on. */
  async function build(name: string, word: string) {
    const dist = join(folder, name)
    await mkdir(join(dist, `assets/build-${name}`), { recursive: true })
    await writeFile(join(dist, `assets/build-${name}/list.js`), script(word))
    await writeFile(join(dist, `assets/build-${name}/other.js`), script('other'))
    await kept.keep(dist)
    const handler = createStaticHandler(dist, kept)
    return (path: string, headers: Record<string, string> = OFFERS) =>
      handler(new Request(`http://localhost/assets/build-${name}/${path}`, { headers }))
  }
  beforeEach(async () => {
    kept = new Dictionaries(await mkdtemp(join(folder, 'kept-')))
  })

  test('is sent as the difference to it, after a restart as well', async () => {
    const first = await build('one', 'first')
    const answer = await first('list.js')
    expect(answer?.headers.get('Use-As-Dictionary')).toBe('match="/assets/build-*/list.js"')
    expect(answer?.headers.get('Content-Encoding')).toBe('br')

    const second = await build('two', 'second')
    const smaller = await second('list.js', offer(script('first')))
    expect(smaller?.headers.get('Content-Encoding')).toBe('dcz')
    expect(smaller?.headers.get('Vary')).toBe('Accept-Encoding, Available-Dictionary')
    const bytes = Buffer.from((await smaller?.arrayBuffer()) ?? new ArrayBuffer(0))
    expect(bytes.length).toBeLessThan(100)
    // The magic number and the dictionary's hash come first (RFC 9842, 5).
    expect(bytes.subarray(0, 8).toString('hex')).toBe('5e2a4d1820000000')
    const dictionary = Buffer.from(script('first'))
    expect(bytes.subarray(8, 40)).toEqual(createHash('sha256').update(dictionary).digest())
    const text = zstdDecompressSync(bytes.subarray(40), { dictionary }).toString()
    expect(text).toBe(script('second'))
    // Each dictionary has its own answer and its own tag.
    expect(smaller?.headers.get('ETag')).not.toBe((await second('list.js'))?.headers.get('ETag'))
  })

  test.each([
    ['that was never served', 'unknown', {}],
    ['of another file', script('other'), {}],
    ['but does not accept the encoding', script('first'), { 'Accept-Encoding': 'br' }],
    ['whose hash is no hash', '', { 'Available-Dictionary': ':../../../../secret.txt:' }],
  ])('is sent whole when the browser offers a content %s', async (_, text, headers) => {
    await build('one', 'first')
    const second = await build('two', 'second')
    const answer = await second('list.js', { ...offer(text), ...headers })
    expect(answer?.headers.get('Content-Encoding')).toBe('br')
  })

  test('is sent whole when the kept content was damaged', async () => {
    const root = await mkdtemp(join(folder, 'damaged-'))
    kept = new Dictionaries(root)
    await build('one', 'first')
    for (const name of await readdir(join(root, 'build/list.js')))
      await writeFile(join(root, 'build/list.js', name), 'cut off')
    const second = await build('two', 'second')
    const answer = await second('list.js', offer(script('first')))
    expect(answer?.headers.get('Content-Encoding')).toBe('br')
  })

  test('is kept in its last eight contents', async () => {
    const root = await mkdtemp(join(folder, 'many-'))
    kept = new Dictionaries(root)
    for (let number = 1; number <= 10; number += 1) await build(`n${number}`, `word ${number}`)
    expect(await readdir(join(root, 'build/list.js'))).toHaveLength(8)
    expect(await readdir(join(root, 'build/other.js'))).toHaveLength(1)
  })

  test('is sent whole where contents cannot be kept', async () => {
    await writeFile(join(folder, 'a-file'), '')
    kept = new Dictionaries(join(folder, 'a-file'))
    const serveIt = await build('one', 'first')
    expect(await (await serveIt('list.js', {}))?.text()).toBe(script('first'))
  })
})
