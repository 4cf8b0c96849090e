// Builds the app from a copy of its sources: what is being worked on meanwhile does not matter, and a
// test can build another version.
import { execFile } from 'node:child_process'
import { appendFile, cp, symlink } from 'node:fs/promises'
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

/** What is added to a file of the sources. */
interface Change {
  file: string
  append: string
}

/** Builds the app in the new folder `folder`, with those changes; returns its dist folder. */
export async function buildApp(folder: string, changes: Change[] = []): Promise<string> {
  for (const source of SOURCES)
    await cp(join(ROOT, source), join(folder, source), { recursive: true })
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  for (const { file, append } of changes) await appendFile(join(folder, file), append)
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js')
  await promisify(execFile)(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
    cwd: folder,
    // As `npm start` builds: the tests' own environment would bring React's development build.
    env: { ...process.env, NODE_ENV: 'production' },
  })
  return join(folder, 'dist')
}
