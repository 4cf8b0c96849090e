// The real server in a process of its own, on a data folder and a port that it keeps over restarts.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { waitUntil } from './until.ts'

interface ServerOptions {
  dataDir: string
  /** The build that it serves. */
  dist: string
  /** How long an access token lives; the server's default otherwise. */
  accessTokenSeconds?: number
  demoData?: boolean
  /** More of the server's environment: others that it works with. */
  env?: Record<string, string>
  /** Where it listens; a free port otherwise. */
  port?: number
}

/** A new database on a busy machine takes its time. Milliseconds. */
const FIRST_START_TIMEOUT_MS = 120_000

/**
 * Below the ports that connections get, which would take one while a server is down; each worker has a
 * range of its own.
 */
const FIRST_PORT = 12_000
const PORTS_OF_A_WORKER = 2_000
let nextPort = FIRST_PORT + PORTS_OF_A_WORKER * Number(process.env['VITEST_POOL_ID'] ?? 0)

/** A port of this machine that nobody listens on, and that nobody else is given. */
export async function freePort(): Promise<number> {
  const port = nextPort++
  const probe = createServer().listen(port, '127.0.0.1')
  const isFree = await once(probe, 'listening').then(
    () => true,
    () => false,
  )
  if (!isFree) return await freePort()
  probe.close()
  await once(probe, 'close')
  return port
}

export class ServerProcess {
  readonly port: number
  readonly url: string
  readonly #options: ServerOptions
  #process: ChildProcess | undefined
  #said = ''

  private constructor(port: number, options: ServerOptions) {
    this.port = port
    this.url = `http://127.0.0.1:${port}`
    this.#options = options
  }

  static async start(options: ServerOptions): Promise<ServerProcess> {
    const server = new ServerProcess(options.port ?? (await freePort()), options)
    await server.start()
    return server
  }

  /** The mails that it has written, the oldest first. */
  async mails(): Promise<string[]> {
    const folder = join(this.#options.dataDir, 'outbox')
    const files = await readdir(folder).catch(() => [])
    return await Promise.all(
      files
        .toSorted((a, b) => (a < b ? -1 : 1))
        .map((file) => readFile(join(folder, file), 'utf8')),
    )
  }

  /** Starts it (again), on the same port and the same data. */
  async start(changed: Partial<ServerOptions> = {}): Promise<void> {
    Object.assign(this.#options, changed)
    const { dataDir, dist, accessTokenSeconds, demoData = false, env } = this.#options
    const script = fileURLToPath(new URL('serve.ts', import.meta.url))
    // It lives for seconds: to compile the database a second time, for speed, costs more than it gives.
    const child = spawn(process.execPath, ['--liftoff-only', script], {
      env: {
        PATH: process.env['PATH'],
        PORT: String(this.port),
        DATA_DIR: dataDir,
        DIST: dist,
        DEMO_DATA: demoData ? '1' : '0',
        ...(accessTokenSeconds !== undefined && {
          ACCESS_TOKEN_SECONDS: String(accessTokenSeconds),
        }),
        ...env,
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    this.#process = child
    const listen = (part: Buffer) => (this.#said += part.toString())
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
    const answers = async () => {
      if (child.exitCode !== null) throw new Error(`The server ended: ${this.#said}`)
      return await fetch(`${this.url}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      )
    }
    await waitUntil('the server answers', answers, FIRST_START_TIMEOUT_MS)
  }

  /** Ends it as an operator does. */
  stop(): Promise<void> {
    return this.#end('SIGTERM')
  }

  /** Ends it as a power cut does. */
  kill(): Promise<void> {
    return this.#end('SIGKILL')
  }

  async #end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const child = this.#process
    this.#process = undefined
    if (!child || child.exitCode !== null) return
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
  }
}
