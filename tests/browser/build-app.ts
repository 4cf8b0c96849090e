// Builds the app from a copy of its sources: what is being worked on meanwhile does not matter, and a
// test can build another version.
import { execFile } from 'node:child_process'
import { cp, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const ROOT = join(import.meta.dirname, '../..')
const SOURCES = [
  'contract',
  'src',
  'sw',
  'public',
  'index.html',
  'manifest.webmanifest',
  'package.json',
  'tsconfig.json',
  'vite.config.ts',
]

/** One file of the sources, and what becomes of its text. */
export interface Change {
  file: string
  to: (text: string) => string
}

/** Builds the app in the new folder `folder`, with that change if any; returns its dist folder. */
export async function buildApp(folder: string, change?: Change): Promise<string> {
  for (const source of SOURCES)
    await cp(join(ROOT, source), join(folder, source), { recursive: true })
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  if (change) {
    const file = join(folder, change.file)
    const before = await readFile(file, 'utf8')
    const after = change.to(before)
    if (after === before) throw new Error(`The change of ${change.file} changes nothing.`)
    await writeFile(file, after)
  }
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js')
  await promisify(execFile)(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
    cwd: folder,
  })
  return join(folder, 'dist')
}
