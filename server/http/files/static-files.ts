// Serves the built app. Hashed assets are cached for ever; the files that name them are revalidated.
import { readFile, stat } from 'node:fs/promises'
import { extname, join, normalize, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { sha256 } from '../../hash.ts'
import {
  compressWith,
  dictionaryPattern,
  type Dictionaries,
  type Dictionary,
} from './dictionaries.ts'

const CONTENT_TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}
const COMPRESSIBLE = new Set(['.css', '.html', '.js', '.json', '.svg', '.txt', '.webmanifest'])
const MIN_COMPRESSED_BYTES = 1_024

type Encoding = 'br' | 'gzip' | 'identity'
const brotli = promisify(brotliCompress)
const compressors: Record<Encoding, (bytes: Buffer<ArrayBuffer>) => Promise<Buffer<ArrayBuffer>>> =
  {
    br: (bytes) => brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
    gzip: promisify<Buffer<ArrayBuffer>, Buffer<ArrayBuffer>>(gzip),
    identity: (bytes) => Promise.resolve(bytes),
  }

interface CachedFile {
  bytes: Buffer<ArrayBuffer>
  encoding: Encoding | 'dcz'
  etag: string
  modified: number
}

/** By encoding and path. One for the process: servers that follow one another serve the same files. */
const cache = new Map<string, CachedFile>()

/** The encoded file, cached until it changes on the disk. */
async function load(
  path: string,
  encoding: Encoding,
  dictionary?: Dictionary,
): Promise<CachedFile | undefined> {
  const status = await stat(path).catch(() => undefined)
  if (!status?.isFile()) return undefined
  const form = dictionary ? `dcz-${dictionary.hash.slice(0, 16)}` : encoding
  const name = `${form} ${path}`
  const cached = cache.get(name)
  if (cached?.modified === status.mtimeMs) return cached
  const raw = await readFile(path)
  const bytes = await (dictionary ? compressWith(dictionary, raw) : compressors[encoding](raw))
  const hash = sha256(raw).toString('base64url').slice(0, 22)
  const entry = {
    bytes,
    encoding: dictionary ? ('dcz' as const) : encoding,
    etag: `"${hash}-${form}"`,
    modified: status.mtimeMs,
  }
  cache.set(name, entry)
  return entry
}

/**
 * Returns the handler for files of the folder `dist`, which resolves with undefined when there is no
 * such file. With `dictionaries`, what browsers have of earlier builds makes files smaller.
 */
export function createStaticHandler(dist: string, dictionaries?: Dictionaries) {
  async function answer(name: string, request: Request): Promise<Response | undefined> {
    const path = normalize(join(dist, name))
    if (!path.startsWith(dist + sep)) return undefined
    const extension = extname(path)
    const size = (await stat(path).catch(() => undefined))?.size ?? 0
    const isCompressible = COMPRESSIBLE.has(extension) && size >= MIN_COMPRESSED_BYTES
    const file = await load(
      path,
      isCompressible ? encodingFor(request) : 'identity',
      accepts(request, 'dcz') ? await dictionaries?.find(name, request) : undefined,
    )
    if (!file) return undefined
    const headers = new Headers({
      'Content-Type': CONTENT_TYPES[extension] ?? 'application/octet-stream',
      // `no-transform`: devices store only files that have the hashes of the build.
      'Cache-Control': path.startsWith(join(dist, 'assets') + sep)
        ? 'public, max-age=31536000, immutable, no-transform'
        : 'no-cache, no-transform',
      ETag: file.etag,
    })
    if (isCompressible) headers.set('Vary', 'Accept-Encoding')
    const pattern = dictionaries && dictionaryPattern(name)
    if (pattern !== undefined) {
      headers.set('Use-As-Dictionary', pattern)
      headers.set('Vary', 'Accept-Encoding, Available-Dictionary')
    }
    if (request.headers.get('If-None-Match') === file.etag)
      return new Response(null, { status: 304, headers })
    if (file.encoding !== 'identity') headers.set('Content-Encoding', file.encoding)
    headers.set('Content-Length', String(file.bytes.byteLength))
    return new Response(request.method === 'HEAD' ? null : file.bytes, { headers })
  }

  return async function serveStatic(request: Request): Promise<Response | undefined> {
    const name = decodedPath(request.url)
    if (name === undefined) return undefined
    const found = await answer(name === '/' ? '/index.html' : name, request)
    // Only navigations get the page: a missing script must not be answered, and cached, with HTML.
    if (found || !isNavigation(request, name) || (await isBelowFolder(name))) return found
    return await answer('/index.html', request)
  }

  /** Whether the path is below a folder of files, such as `/icons`. */
  async function isBelowFolder(name: string): Promise<boolean> {
    const [, first = ''] = name.split('/')
    const status = await stat(join(dist, first)).catch(() => undefined)
    return first !== '' && status?.isDirectory() === true
  }
}

function decodedPath(url: string): string | undefined {
  try {
    const path = decodeURIComponent(new URL(url).pathname)
    return path.includes('\0') ? undefined : path
  } catch {
    return undefined
  }
}

/** As in `sw.ts`, only a name of the first level with a dot is that of a file: ids may have dots. */
const isNavigation = (request: Request, name: string) =>
  !/^\/(?:assets|api|oauth)(?:\/|$)|^\/[^/]+\.\w+$/.test(name) &&
  (request.headers.get('Accept') ?? '').includes('text/html')

function encodingFor(request: Request): Encoding {
  return (['br', 'gzip'] as const).find((one) => accepts(request, one)) ?? 'identity'
}

/** Whether a request accepts that encoding by its name. */
const accepts = (request: Request, encoding: string) =>
  (request.headers.get('Accept-Encoding') ?? '')
    .split(',')
    .map((part) => part.trim().toLowerCase())
    .filter((part) => !/;\s*q=0(?:\.0*)?$/.test(part))
    .some((part) => part.split(';', 1).join('').trim() === encoding)
