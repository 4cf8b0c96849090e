// The archive of a release: the built app, the server and what it depends on at run time.
import {
  createWriteStream,
  existsSync,
  lstatSync,
  readFileSync,
  readdirSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { archive, type ArchivedFile } from './tar.ts'

const ROOT = join(import.meta.dirname, '../..')
const FROM_THE_SOURCES = [
  'CHANGELOG.md',
  'LICENSE',
  'cairn',
  'conform',
  'contract',
  'package.json',
  'server',
]
/** Names of files and folders that no server reads. */
const LEFT_OUT = /^(\.bin|\.vite|\.built-from|tsconfig\.json|pgxs)$|\.(d\.[cm]?ts|map|a)$/

/** An entry of the lock file, as npm writes it. */
interface Locked {
  version: string
  dev?: boolean
  devOptional?: boolean
  optional?: boolean
}

const readJson = (file: string): unknown => JSON.parse(readFileSync(join(ROOT, file), 'utf8'))

/** The folders of the installed packages that the server needs. Throws if one is not as locked. */
function productionPackages(): string[] {
  const { packages } = readJson('package-lock.json') as { packages: Record<string, Locked> }
  const needed = Object.entries(packages).filter(
    ([path, { dev, devOptional }]) => path !== '' && dev !== true && devOptional !== true,
  )
  return needed.flatMap(([path, { version, optional }]) => {
    const isInstalled = existsSync(join(ROOT, path, 'package.json'))
    // For another platform.
    if (!isInstalled && optional === true) return []
    const installed = isInstalled && (readJson(`${path}/package.json`) as Locked).version
    if (installed !== version) throw new Error(`${path} is not installed as locked: npm ci`)
    return [path]
  })
}

/** The files below `path`, sorted; packages within packages are listed by the lock file. */
function* filesUnder(path: string, isPackage: boolean): Generator<string> {
  if (statSync(path).isFile()) yield path
  else
    for (const name of readdirSync(path).toSorted()) {
      // Links to libraries are made at the start.
      const isLink = lstatSync(join(path, name)).isSymbolicLink()
      if (!isLink && !LEFT_OUT.test(name) && !(isPackage && name === 'node_modules'))
        yield* filesUnder(join(path, name), isPackage)
    }
}

function* releasedFiles(folder: string, dist: string): Generator<ArchivedFile> {
  const read = (file: string, path: string): ArchivedFile => ({
    path: `${folder}/${path}`,
    isExecutable: (statSync(file).mode & 0o100) !== 0,
    content: readFileSync(file),
  })
  for (const source of FROM_THE_SOURCES)
    for (const file of filesUnder(join(ROOT, source), false))
      yield read(file, file.slice(ROOT.length + 1))
  for (const file of filesUnder(dist, false)) yield read(file, `dist${file.slice(dist.length)}`)
  for (const path of productionPackages())
    for (const file of filesUnder(join(ROOT, path), true))
      yield read(file, file.slice(ROOT.length + 1))
}

/**
 * Writes `cairn-<version>.tar.gz` into `target`, with the built app in `dist`; resolves to the file. The
 * same sources and packages make the same bytes. Holds what is installed for this platform; runs no
 * install scripts.
 */
export async function writeRelease(dist: string, target: string): Promise<string> {
  const { version } = readJson('package.json') as { version: string }
  const folder = `cairn-${version}`
  const file = join(target, `${folder}.tar.gz`)
  await pipeline(
    Readable.from(archive(releasedFiles(folder, dist))),
    createGzip(),
    createWriteStream(file),
  )
  return file
}
