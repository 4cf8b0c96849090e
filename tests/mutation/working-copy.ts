// A copy of the repository in which mutants are planted and tests run, so that the checkout is never
// touched and an interrupted run leaves nothing in it.
import { execFileSync, spawn } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import type { Project } from './rooms.ts'

export const ROOT = join(import.meta.dirname, '../..')

const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs')
const CONFIG = 'tests/mutation/vitest.config.ts'
/** A short run leaves out most of the tests that reach the server's write path. */
const ENV = { NO_COLOR: '1', LONG_TESTS: '1' }
const MAX_OUTPUT_LENGTH = 200_000

export interface TestRun {
  /** `hung` after the time allowed. */
  outcome: 'passed' | 'failed' | 'hung'
  output: string
  durationMs: number
}

interface RunOptions {
  project: Project
  /** In the order in which they run. */
  tests: readonly string[]
  timeoutMs: number
  /** Stops at the first failure. */
  bail: boolean
  env?: Record<string, string>
}

export class WorkingCopy {
  readonly folder: string
  readonly #originals = new Map<string, string>()

  /** A copy of the files that git tracks, and of new ones that it does not ignore. */
  constructor() {
    this.folder = mkdtempSync(join(tmpdir(), 'cairn-mutation-'))
    const listed = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
      cwd: ROOT,
      encoding: 'utf8',
    })
    for (const file of new Set(listed.split('\0').filter(Boolean))) {
      mkdirSync(dirname(join(this.folder, file)), { recursive: true })
      // A file that was deleted but is still listed has no copy.
      cpSync(join(ROOT, file), join(this.folder, file), { errorOnExist: false, force: true })
    }
    symlinkSync(join(ROOT, 'node_modules'), join(this.folder, 'node_modules'))
  }

  read(file: string): string {
    return this.#originals.get(file) ?? readFileSync(join(this.folder, file), 'utf8')
  }

  /** Changes a file until `restore`. */
  change(file: string, text: string): void {
    this.#originals.set(file, this.read(file))
    writeFileSync(join(this.folder, file), text)
  }

  restore(): void {
    for (const [file, text] of this.#originals) writeFileSync(join(this.folder, file), text)
    this.#originals.clear()
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** The test files that runs of this project have. */
  testsOf(project: Project): Set<string> {
    const args = [VITEST, 'list', '--filesOnly', '--config', CONFIG, '--project', project]
    const env = { ...process.env, ...ENV }
    const listed = execFileSync(process.execPath, args, { cwd: this.folder, encoding: 'utf8', env })
    const prefix = `[${project}] `
    const lines = listed.split('\n').filter((line) => line.startsWith(prefix))
    return new Set(lines.map((line) => line.slice(prefix.length)))
  }

  /** Runs test files of one project with one worker. Resolves also when they fail. */
  run({ project, tests, timeoutMs, bail, env = {} }: RunOptions): Promise<TestRun> {
    const args = ['run', '--config', CONFIG, '--project', project, ...(bail ? ['--bail', '1'] : [])]
    const began = performance.now()
    const child = spawn(process.execPath, [VITEST, ...args, ...tests], {
      cwd: this.folder,
      // Its own process group, so that a hanging run ends with all its workers.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...ENV, MUTATION_ORDER: tests.join(','), ...env },
    })
    const decoder = new StringDecoder()
    let output = ''
    const collect = (chunk: Buffer) => {
      output = (output + decoder.write(chunk)).slice(-MAX_OUTPUT_LENGTH)
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    let isHung = false
    const stop = () => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      } catch {
        // It has ended meanwhile.
      }
    }
    const timer = setTimeout(() => {
      isHung = true
      stop()
    }, timeoutMs)
    process.once('exit', stop)
    return new Promise((resolve) => {
      child.once('close', (code) => {
        clearTimeout(timer)
        process.off('exit', stop)
        const outcome = isHung ? 'hung' : code === 0 ? 'passed' : 'failed'
        resolve({ outcome, output, durationMs: performance.now() - began })
      })
    })
  }
}
