// The programs of the machine that tests need: the browsers and what drives them.
import { execFileSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { getuid } from 'node:process'

const APT = '/usr/bin/apt-get'
/** Another one may be at work, and a mirror may be tired. */
const APT_RETRIES = ['-o', 'DPkg::Lock::Timeout=120', '-o', 'Acquire::Retries=3']
export const isRoot = getuid?.() === 0

export interface Program {
  /** As people call it. */
  name: string
  /** The variable of the environment that may name its file. */
  variable: string
  /** What its file may be called; one that is not in PATH by its whole path. */
  files: readonly string[]
  /** Debian's packages of it. */
  packages: readonly string[]
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function installed({ files }: Program): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return files
    .flatMap((file) => (file.startsWith('/') ? file : folders.map((folder) => join(folder, file))))
    .find(isExecutable)
}

/**
 * The file of a program: the one that its variable names, else the system's, else Debian's, which root
 * may install. Throws one line that says what to run where there is none.
 */
export function findProgram(program: Program): string {
  const { name, variable, packages } = program
  const chosen = process.env[variable]
  if (chosen !== undefined && chosen !== '') {
    if (existsSync(chosen)) return chosen
    throw new Error(`${variable} names ${chosen}, which does not exist.`)
  }
  const found = installed(program)
  if (found !== undefined) return found
  if (!isRoot || !existsSync(APT))
    throw new Error(
      `The browser tests need ${name}. Install it (on Debian: sudo apt-get install ${packages.join(' ')}) or set ${variable} to one.`,
    )
  execFileSync(APT, [...APT_RETRIES, 'update'], { stdio: 'inherit' })
  execFileSync(APT, [...APT_RETRIES, 'install', '--yes', '--no-install-recommends', ...packages], {
    stdio: 'inherit',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
  const brought = installed(program)
  if (brought === undefined) throw new Error(`${name} was installed, and is not in PATH.`)
  return brought
}
