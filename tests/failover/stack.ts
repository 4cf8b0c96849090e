// PostgreSQL that survives the loss of a machine, as docs/deploy.md has it, from Debian's packages on this
// machine: etcd, two PostgreSQL servers under Patroni, HAProxy, PgBouncer, and Cairn's processes.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { findProgram } from '../browser/fixtures/find-program.ts'
import { freePort } from '../browser/fixtures/server-process.ts'
import { findPostgres, userOfPostgres } from '../server/postgres/cluster-setup.ts'
import { haproxySettings, patroniSettings, pgbouncerSettings, type Member } from './settings.ts'

const START = join(import.meta.dirname, '../../server/start.ts')

const find = (name: string, packages: string[], service = name) =>
  findProgram({
    name,
    variable: `${name.toUpperCase()}_PATH`,
    files: [name, `/usr/sbin/${name}`],
    packages,
    service,
  })

/** Calls `look` until it does not throw; then throws what it threw last. */
export async function until<T>(look: () => Promise<T>, timeoutMs: number): Promise<T> {
  for (const deadline = Date.now() + timeoutMs; ; await pause(200))
    try {
      return await look()
    } catch (error) {
      if (Date.now() > deadline) throw error
    }
}

interface Node extends Member {
  settings: string
  patroni: ChildProcess
}

export class Stack {
  /** Where devices call. */
  url = ''
  readonly #folder: string
  readonly #user = userOfPostgres()
  readonly #children = new Set<ChildProcess>()
  readonly #nodes: Node[] = []

  private constructor(folder: string) {
    this.#folder = folder
  }

  /** Starts everything, with this many processes of Cairn. */
  static async start(processes: number): Promise<Stack> {
    const stack = new Stack(await mkdtemp(join(tmpdir(), 'cairn-failover-')))
    process.once('exit', () => stack.#children.forEach(endGroup))
    try {
      await stack.#start(processes)
      return stack
    } catch (error) {
      await stack.stop()
      throw error
    }
  }

  /** Ends all processes, and deletes their files. */
  async stop(): Promise<void> {
    const ended = [...this.#children].map((child) => once(child, 'exit'))
    for (const child of this.#children) endGroup(child)
    await Promise.all(ended)
    for (const { name } of this.#nodes) await endPostgres(join(this.#folder, name))
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 })
  }

  /** Loses the primary's machine, as SIGKILL for all its processes; returns its name. */
  async killPrimary(): Promise<string> {
    const name = (await this.#members()).find(({ role }) => role === 'leader')?.name
    const node = this.#nodes.find((one) => one.name === name)
    if (!node) throw new Error('There is no primary.')
    const ended = once(node.patroni, 'exit')
    endGroup(node.patroni)
    await ended
    await endPostgres(join(this.#folder, node.name))
    return node.name
  }

  /** Starts a machine that was lost: its PostgreSQL becomes the replica of the new primary. */
  revive(name: string): void {
    const node = this.#nodes.find((one) => one.name === name)
    if (node)
      node.patroni = this.#run('patroni', find('patroni', PATRONI_PACKAGES), [node.settings])
  }

  /** Waits until the primary has a synchronous replica, so that the loss of one loses nothing. */
  async isReplicated(): Promise<void> {
    await until(async () => {
      const members = await this.#members()
      const roles = members.map(({ role, state }) => `${role} ${state}`)
      const isReady = ['leader running', /^sync_standby (running|streaming)$/].every((wanted) =>
        roles.some((one) => (typeof wanted === 'string' ? one === wanted : wanted.test(one))),
      )
      if (!isReady) throw new Error(`No synchronous replica: ${roles.join(', ')}`)
    }, 180_000)
  }

  async #start(processes: number): Promise<void> {
    if (this.#user) chownSync(this.#folder, this.#user.uid, this.#user.gid)
    const etcdPort = await freePort()
    this.#startEtcd(etcdPort, await freePort())
    for (const name of ['one', 'two']) await this.#addNode(name, etcdPort)
    const [primaryPort, poolPort, appPort] = [await freePort(), await freePort(), await freePort()]
    const servers = await Promise.all(Array.from({ length: processes }, () => freePort()))
    const balancing = haproxySettings({ primaryPort, appPort, members: this.#nodes, servers })
    const haproxy = find('haproxy', ['haproxy'])
    this.#run('haproxy', haproxy, ['-db', '-f', await this.#write('haproxy.cfg', balancing)])
    await this.isReplicated()
    await until(() => createDatabase(primaryPort), 30_000)
    const users = await this.#write('users.txt', '"cairn_app" ""\n')
    const pool = pgbouncerSettings({ poolPort, primaryPort, users })
    const pgbouncer = find('pgbouncer', ['pgbouncer'])
    this.#run('pgbouncer', pgbouncer, [await this.#write('pgbouncer.ini', pool)])
    await mkdir(join(this.#folder, 'dist'))
    await writeFile(join(this.#folder, 'dist/index.html'), '<!doctype html>')
    this.url = `http://127.0.0.1:${appPort}`
    for (const port of servers) await this.#startServer({ port, primaryPort, poolPort })
    await until(() => this.#expectHealthy(this.url), 30_000)
  }

  #startEtcd(clientPort: number, peerPort: number): void {
    const [client, peer] = [`http://127.0.0.1:${clientPort}`, `http://127.0.0.1:${peerPort}`]
    this.#run('etcd', find('etcd', ['etcd-server']), [
      `--name=one`,
      `--data-dir=${join(this.#folder, 'etcd')}`,
      `--listen-client-urls=${client}`,
      `--advertise-client-urls=${client}`,
      `--listen-peer-urls=${peer}`,
      `--initial-advertise-peer-urls=${peer}`,
      `--initial-cluster=one=${peer}`,
    ])
  }

  async #addNode(name: string, etcdPort: number): Promise<void> {
    const member = { name, port: await freePort(), restPort: await freePort() }
    const folder = join(this.#folder, name)
    await mkdir(folder)
    if (this.#user) chownSync(folder, this.#user.uid, this.#user.gid)
    const text = patroniSettings({ ...member, etcdPort, folder, bin: findPostgres() })
    const settings = await this.#write(`${name}.yml`, text)
    const patroni = this.#run('patroni', find('patroni', PATRONI_PACKAGES), [settings])
    this.#nodes.push({ ...member, settings, patroni })
  }

  async #startServer(ports: { port: number; primaryPort: number; poolPort: number }) {
    const { port, primaryPort, poolPort } = ports
    const urlOf = (role: string, database: number) =>
      `postgres://${role}@127.0.0.1:${database}/cairn`
    this.#run(`cairn-${port}`, process.execPath, [START], {
      PORT: String(port),
      DATA_DIR: join(this.#folder, `cairn-${port}`),
      DIST: join(this.#folder, 'dist'),
      DATABASE_URL: urlOf('cairn_app', poolPort),
      DATABASE_OWNER_URL: urlOf('cairn_owner', primaryPort),
      DATABASE_LISTEN_URL: urlOf('cairn_app', primaryPort),
      TOKEN_KEY: 'ab'.repeat(32),
      LOG: 'json',
    })
    await until(() => this.#expectHealthy(`http://127.0.0.1:${port}`), 60_000)
  }

  async #expectHealthy(url: string): Promise<void> {
    const { status } = await fetch(`${url}/readyz`)
    if (status !== 200) throw new Error(`${url}/readyz answers ${status}.`)
  }

  async #members() {
    for (const { restPort } of this.#nodes) {
      const answer = await fetch(`http://127.0.0.1:${restPort}/cluster`).catch(() => undefined)
      if (!answer?.ok) continue
      const { members } = (await answer.json()) as {
        members: { name: string; role: string; state: string }[]
      }
      return members
    }
    throw new Error('No Patroni answers.')
  }

  async #write(name: string, text: string): Promise<string> {
    const file = join(this.#folder, name)
    await writeFile(file, text, { mode: 0o644 })
    return file
  }

  /** Starts a program in a process group of its own, as PostgreSQL's user, with its output in a file. */
  #run(name: string, program: string, parameters: string[], env?: Record<string, string>) {
    const isOurs = env !== undefined
    const child = spawn(program, parameters, {
      cwd: this.#folder,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: isOurs ? env : process.env,
      ...(isOurs ? {} : this.#user),
    })
    const output = createWriteStream(join(this.#folder, `${name}.log`), { flags: 'a' })
    child.stdout.pipe(output, { end: false })
    child.stderr.pipe(output, { end: false })
    this.#children.add(child)
    child.once('exit', () => this.#children.delete(child))
    return child
  }
}

/** SIGKILL for the PostgreSQL on a folder, which Patroni started in a session of its own. */
async function endPostgres(folder: string): Promise<void> {
  const text = await readFile(join(folder, 'data/postmaster.pid'), 'utf8').catch(() => '')
  const [pid] = text.split('\n')
  // The file outlives a killed process, whose id may be another one's by now.
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  if (command.includes(folder)) process.kill(Number(pid), 'SIGKILL')
}

const PATRONI_PACKAGES = ['patroni', 'python3-etcd3']

async function createDatabase(port: number): Promise<void> {
  const client = new Client({
    connectionString: `postgres://postgres:superuser@127.0.0.1:${port}/postgres`,
  })
  await client.connect()
  try {
    await client.query('create role cairn_owner login createrole')
    await client.query('create role cairn_app login noinherit')
    await client.query('create database cairn owner cairn_owner')
  } finally {
    await client.end()
  }
}

function endGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL')
}
