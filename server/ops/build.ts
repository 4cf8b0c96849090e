// Builds the app when its sources have changed since the last build.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from '../errors/start-error.ts'
import { adviceOnNode } from '../configuration/installing-node.ts'

const ROOT = join(import.meta.dirname, '../..')
const SOURCES = [
  'CHANGELOG.md',
  'contract',
  'src',
  'sw',
  'public',
  'index.html',
  'manifest.webmanifest',
  'package-lock.json',
  'vite.chunks.ts',
  'vite.config.ts',
  'vite.fonts.ts',
  'vite.icons.ts',
]
const VITE = join(ROOT, 'node_modules/vite/bin/vite.js')
/** A first start must fit into 512 MB in all: one thread, and memory that is returned at once. */
const SMALL = {
  flags: ['--max-old-space-size=192', '--max-semi-space-size=1'],
  env: { RAYON_NUM_THREADS: '1', MIMALLOC_PURGE_DELAY: '0', MALLOC_ARENA_MAX: '1' },
}
/** The folder of the built app, which may not be built yet. */
export const DIST = join(ROOT, 'dist')
const BUILD_STAMP = join(DIST, '.built-from')

function* filesUnder(path: string): Generator<string> {
  if (statSync(path).isFile()) yield path
  else for (const name of readdirSync(path).toSorted()) yield* filesUnder(join(path, name))
}

function hashSources(): string {
  const hash = createHash('sha256')
  for (const source of SOURCES)
    for (const file of filesUnder(join(ROOT, source)))
      hash.update(file).update('\0').update(readFileSync(file)).update('\0')
  return hash.digest('hex')
}

function readBuildStamp(): string | undefined {
  try {
    return readFileSync(BUILD_STAMP, 'utf8')
  } catch {
    return undefined
  }
}

/** Says what runs, and on a terminal for how many seconds, in one line. */
async function showProgress(what: string, work: () => Promise<void>): Promise<void> {
  const { stdout } = process
  if (!stdout.isTTY) console.log(`${what} …`)
  const began = Date.now()
  const show = () => {
    if (stdout.isTTY) stdout.write(`\r${what} … ${Math.round((Date.now() - began) / 1_000)} s`)
  }
  show()
  const timer = setInterval(show, 1_000)
  try {
    await work()
  } finally {
    clearInterval(timer)
    show()
    if (stdout.isTTY) stdout.write('\n')
  }
}

/** Builds the app unless the last build was made from the same sources. Returns its folder. */
export async function buildIfStale(): Promise<string> {
  // A release has the built app and no sources.
  if (!existsSync(join(ROOT, 'src'))) return DIST
  const sources = hashSources()
  if (readBuildStamp() === sources) return DIST
  await showProgress('Building the app', async () => {
    // In a process of its own, whose memory is free again afterwards.
    const vite = spawn(process.execPath, [...SMALL.flags, VITE, 'build', '--logLevel', 'warn'], {
      cwd: ROOT,
      env: { ...process.env, ...SMALL.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    // Its warnings are for maintainers, who see them with `vite build`.
    let output = ''
    const collect = (part: Buffer) => (output += part.toString())
    vite.stdout.on('data', collect)
    vite.stderr.on('data', collect)
    const [code] = (await once(vite, 'close')) as [number | null]
    if (code === 0) return
    const advice = adviceOnNode(process.env['npm_config_user_agent'])
    const lines = [output, 'The app could not be built.', ...(advice ? [advice] : [])]
    throw new StartError(lines.join('\n'))
  })
  // Written last, so that an interrupted build is repeated.
  writeFileSync(BUILD_STAMP, sources)
  return DIST
}
