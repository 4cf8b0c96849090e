// The server as `npm start` runs it, in a process of its own that a test may kill.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../server/database.ts'
import { emptyImage } from './empty-image.ts'
import { CLIENT, PASSWORD } from './world.ts'

const START = join(import.meta.dirname, '../../server/start.ts')

/**
 * A folder for the tests of a file: an empty database in `template`, made once because that takes
 * seconds, and a built app in `dist` that is one line long.
 */
export async function newFolder() {
  const path = await mkdtemp(join(tmpdir(), 'cairn-server-'))
  await mkdir(join(path, 'dist'))
  await writeFile(join(path, 'dist/index.html'), '<!doctype html>')
  await (await openDatabase(join(path, 'template'), await emptyImage())).close()
  return {
    path,
    data: join(path, 'data'),
    /** Puts an empty database in place of what a test left. */
    async reset() {
      await rm(join(path, 'data'), { recursive: true, force: true })
      await cp(join(path, 'template'), join(path, 'data'), { recursive: true })
    },
    remove: () => rm(path, { recursive: true, force: true }),
  }
}

export class ServerProcess {
  readonly process: ChildProcess
  /** What it printed, on both streams. */
  said = ''
  url = ''

  /** `command` starts it in another way than Node does. */
  constructor(
    folder: string,
    env: Record<string, string> = {},
    command = [process.execPath, START],
  ) {
    const [program = '', ...parameters] = command
    this.process = spawn(program, parameters, {
      env: {
        PORT: '0',
        DATA_DIR: join(folder, 'data'),
        DIST: join(folder, 'dist'),
        DEMO_DATA: '0',
        // The same sources are started again and again.
        NODE_COMPILE_CACHE: join(tmpdir(), 'cairn-compiled'),
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const listen = (part: Buffer) => (this.said += part.toString())
    this.process.stdout?.on('data', listen)
    this.process.stderr?.on('data', listen)
  }

  /** Resolves when it serves; rejects with what it said when it ends instead. */
  async ready(): Promise<this> {
    for (;;) {
      const [, url] = /Cairn is at (\S+)/.exec(this.said) ?? []
      if (url !== undefined) {
        this.url = url
        return this
      }
      if (this.process.exitCode !== null) throw new Error(`The server ended: ${this.said}`)
      await Promise.race([
        once(this.process.stdout ?? this.process, 'data'),
        once(this.process, 'exit'),
      ])
    }
  }

  /** How it ended by itself. */
  async waitForExit(): Promise<{ code: number | null; said: string }> {
    if (this.process.exitCode === null) await once(this.process, 'close')
    return { code: this.process.exitCode, said: this.said }
  }

  async stop(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): Promise<number | null> {
    if (this.process.exitCode === null && this.process.signalCode === null) {
      const gone = once(this.process, 'exit')
      this.process.kill(signal)
      await gone
    }
    return this.process.exitCode
  }

  /** Rejects when no answer comes. */
  async call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const response = await fetch(this.url + path, {
      method,
      headers: { 'Content-Type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, json: JSON.parse(text || 'null') as Record<string, unknown> }
  }

  /** Registers somebody with an organisation; returns the headers of their calls. */
  async register(email: string): Promise<Record<string, string>> {
    const password_confirmation = PASSWORD
    await this.call('POST', '/api/v1/register', {
      name: 'Mia',
      email,
      password: PASSWORD,
      password_confirmation,
    })
    const headers = await this.signIn(email)
    const made = await this.call('POST', '/api/v1/organisations', { name: 'Ours' }, headers)
    return { ...headers, 'X-organisation': (made.json.data as { id: string }).id }
  }

  async signIn(username: string, password = PASSWORD): Promise<Record<string, string>> {
    const grant = { ...CLIENT, grant_type: 'password', username, password }
    const { json } = await this.call('POST', '/oauth/token', grant)
    return { Authorization: `Bearer ${String(json.access_token)}` }
  }
}
