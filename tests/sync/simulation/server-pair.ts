// The model server and the real server side by side: sends the same requests to both and compares the
// answers. The model uses readable ids and the real server UUIDs, so ids are translated.
import { v7 as uuidv7 } from 'uuid'
import type { BatchOperation, BatchResults } from '../../../contract/schemas/batch.ts'
import type { ApiFixture, ApiUser } from '../../server/fixtures/api-fixture.ts'
import { bodyOf, differences, unreadable } from './answer-differences.ts'
import { BATCH } from './model/batch.ts'
import { INVALID } from './model/request-rules.ts'
import { ModelServer, ORGANISATIONS, USERS } from './model-server.ts'
import type { ServerAnswer } from './model-tenant.ts'

type Fields = Record<string, unknown>

export interface PairRequest {
  method: string
  url: string
  user_id: string
  organisation_id?: string | undefined
  body?: Fields
  /** Of a batch, in place of its body. */
  operations?: (Omit<BatchOperation, 'if_match'> & { ifMatch?: number | undefined })[]
  key?: string
  /** Versions as the model knows them. */
  ifMatch?: number
  since?: number
  /** Which of the user's access tokens: 0 is the newest. */
  token?: number
}

interface TokenPair {
  model: string
  real: string
}

/** Longer than any text that the contract allows. */
const TOO_LONG = 'x'.repeat(30_000)
const HEADERS = ['etag', 'idempotent-replayed'] as const

export class ServerPair {
  readonly model = new ModelServer(
    { access_life: 900_000, key_life: Number.MAX_SAFE_INTEGER, page: 500 },
    () => undefined,
  )
  readonly #world: ApiFixture
  readonly #people: ReadonlyMap<string, ApiUser>
  /** Pairs of the model's id and the real server's UUID. */
  readonly #names: (readonly [name: string, uuid: string])[]
  /** By organisation: the real server's version for each version of the model. */
  readonly versions = new Map<string, Map<number, number>>(
    ORGANISATIONS.map((id) => [id, new Map()]),
  )
  readonly #refresh = new Map<string, TokenPair[]>()
  readonly #access = new Map<string, TokenPair[]>()

  private constructor(
    world: ApiFixture,
    people: ReadonlyMap<string, ApiUser>,
    names: (readonly [string, string])[],
  ) {
    this.#world = world
    this.#people = people
    this.#names = names
  }

  /** Both servers with the users, organisations and records that the model begins with. */
  static async open(world: ApiFixture): Promise<ServerPair> {
    const owners = await Promise.all(
      ORGANISATIONS.map((_, index) => world.createOwner(USERS[index] ?? '')),
    )
    const names: [string, string][] = []
    for (const [index, organisation_id] of ORGANISATIONS.entries()) {
      const owner = owners[index]
      if (!owner) throw new Error('There are fewer users than organisations.')
      const { organisation } = owner
      for (const other of owners)
        if (other !== owner) await world.addMember(other, organisation, 'admin')
      names.push([organisation_id, organisation])
      const ann = owners[0]?.inOrganisation(organisation)
      for (const plan of [`${organisation_id}-1`, `${organisation_id}-2`]) {
        const id = await ann?.createPlan({ title: plan, status: 'in-progress' })
        names.push([plan, id ?? ''])
      }
      const id = uuidv7()
      await ann?.post('/api/v1/accounts', { id, name: `${organisation_id}-a` })
      names.push([`${organisation_id}-a`, id])
    }
    names.push(['elsewhere', uuidv7()])
    for (const [index, user_id] of USERS.entries()) names.push([user_id, owners[index]?.id ?? ''])
    const people = new Map(USERS.map((id, index) => [id as string, owners[index] as ApiUser]))
    const pair = new ServerPair(world, people, names)
    for (const user_id of USERS) {
      pair.#issued(user_id, pair.#signInModel(user_id), people.get(user_id)?.tokens)
      // Memberships are written in different ways: this gives them new versions in one order.
      const url = '/api/v1/userinfo'
      await pair.send({ method: 'PUT', url, user_id, body: { name: user_id } })
    }
    for (const organisation_id of ORGANISATIONS) {
      const url = '/api/v1/changes'
      await pair.send({ method: 'GET', url, user_id: 'ann', organisation_id, since: 0 })
    }
    return pair
  }

  get #now(): number {
    return this.#world.now.getTime()
  }

  #signInModel(user_id: string): Fields {
    const password = `secret of ${user_id}`
    const body = { grant_type: 'password', username: user_id, password }
    return this.model.tokens.issue(body, this.#now).body
  }

  /** Records the tokens of one answer; a difference when only one server repeats a known token. */
  #issued(user_id: string, model: Fields, real: Fields | undefined): string[] {
    const differences: string[] = []
    for (const [tokens, name] of [
      [this.#refresh, 'refresh_token'],
      [this.#access, 'access_token'],
    ] as const) {
      const known = tokens.get(user_id) ?? []
      tokens.set(user_id, known)
      const pair = { model: String(model[name]), real: String(real?.[name]) }
      const before = known.find((one) => one.model === pair.model || one.real === pair.real)
      if (!before) known.unshift(pair)
      else if (before.model !== pair.model || before.real !== pair.real)
        differences.push(`${name}: one server repeats a token, the other issues a new one`)
    }
    return differences
  }

  /** Opens a new session of the user on both servers. The real one hashes a password, which is slow. */
  async signIn(user_id: string): Promise<void> {
    const reply = await this.#world.signIn(this.#people.get(user_id)?.email ?? '')
    this.#issued(user_id, this.#signInModel(user_id), reply.json)
  }

  /** Refreshes with the user's token of that age: 0 is the newest. Returns the differences. */
  async refresh(user_id: string, age: number): Promise<string[]> {
    const known = this.#refresh.get(user_id) ?? []
    const pair = known[Math.min(age, known.length - 1)]
    if (!pair) return []
    const grant_type = 'refresh_token'
    const model = this.model.tokens.issue({ grant_type, refresh_token: pair.model }, this.#now)
    const real = await this.#world.token({ grant_type, refresh_token: pair.real })
    if (model.status !== real.status)
      return [`status: the model answers ${model.status}, the server ${real.status}`]
    if (model.status !== 200) return differences('', { error: model.body.error }, real.json)
    return [
      ...this.#issued(user_id, model.body, real.json),
      ...differences('', { expires_in: model.body.expires_in }, real.json),
    ]
  }

  /**
   * Sends a request to both servers. Returns the server's status, those in a batch, and the differences found.
   */
  async send(
    request: PairRequest,
  ): Promise<{ status: number; results?: (number | null)[]; found: string[] }> {
    const { method, user_id, organisation_id, key, token = 0 } = request
    const body = bodyWith(request, (version) => version)
    const realBody = bodyWith(request, (version) => this.#realVersion(request, version))
    const known = this.#access.get(user_id) ?? []
    const access = known[Math.min(token, known.length - 1)]
    const model = this.model.handle(
      {
        method,
        url: this.#url(request, request.since),
        headers: {
          Authorization: `Bearer ${access?.model}`,
          ...headersOf(organisation_id, key, request.ifMatch),
        },
        ...(body && { body: JSON.stringify(body) }),
        timeoutMs: 0,
      },
      this.#now,
    )
    const real = await this.#world.call(
      method,
      this.#toReal(this.#url(request, this.#realVersion(request, request.since))),
      {
        headers: {
          Authorization: `Bearer ${access?.real}`,
          ...headersOf(
            organisation_id && this.#toReal(organisation_id),
            key,
            this.#realVersion(request, request.ifMatch),
          ),
        },
        ...(realBody && { body: this.#toReal(JSON.stringify(realBody)) }),
      },
    )
    const answer = {
      status: real.status,
      text: this.#toModel(real.text),
      headers: Object.fromEntries(HEADERS.map((name) => [name, real.headers.get(name)])),
    }
    const found = this.#compare(request, model, answer)
    if (request.url !== BATCH || real.status !== 200) return { status: real.status, found }
    const { data } = JSON.parse(real.text) as BatchResults
    return { status: real.status, results: data.map(({ status }) => status), found }
  }

  #url({ url }: PairRequest, since: number | undefined): string {
    return since === undefined ? url : `${url}?since=${since}`
  }

  /** An unknown version keeps its distance to the nearest known one. */
  #realVersion(
    { organisation_id = '' }: PairRequest,
    version: number | undefined,
  ): number | undefined {
    if (version === undefined || version === 0) return version
    const known = [...(this.versions.get(organisation_id) ?? [])].toSorted(([a], [b]) => a - b)
    const [model, real] = known.findLast(([one]) => one <= version) ?? known[0] ?? [0, 0]
    return real + version - model
  }

  #toReal(text: string): string {
    let real = text.replaceAll(INVALID, `${INVALID} ${TOO_LONG}`)
    for (const [name, uuid] of this.#names) real = real.replaceAll(nameIn(name), uuid)
    return real
  }

  #toModel(text: string): string {
    return this.#names.reduce(
      // The fixture makes a user's address from the name and the id.
      (all, [name, uuid]) => all.replaceAll(`${name}-${uuid}@`, `${name}@`).replaceAll(uuid, name),
      text,
    )
  }

  #compare(request: PairRequest, model: ServerAnswer, real: RealAnswer): string[] {
    if (model.status !== real.status)
      return [`status: the model answers ${model.status}, the server ${real.status}`]
    if (request.url === BATCH && model.status === 200)
      return this.#compareBatch(request, model, real)
    const [inModel, inReal] = [model, real].map(
      ({ text }) => JSON.parse(text || 'null') as Fields | null,
    )
    const versions = this.versions.get(request.organisation_id ?? '') ?? new Map<number, number>()
    const sameVersion = (a: unknown, b: unknown): boolean => {
      const [ours, theirs] = [Number(a), Number(b)]
      const before = versions.get(ours)
      if (before === undefined && [...versions.values()].includes(theirs)) return false
      versions.set(ours, theirs)
      return before === undefined || before === theirs
    }
    const found = [
      ...(model.status < 300 ? unreadable(request.method, request.url, inModel ?? null) : []),
      ...differences('', bodyOf(inModel), bodyOf(inReal), sameVersion),
    ]
    for (const name of HEADERS) {
      const [ours, theirs] = [model.headers[name] ?? null, real.headers[name] ?? null]
      const same =
        name === 'etag' && ours !== null && theirs !== null
          ? sameVersion(ours.slice(1, -1), theirs.slice(1, -1))
          : ours === theirs
      if (!same) found.push(`header ${name}: the model answers ${ours}, the server ${theirs}`)
    }
    return found
  }

  /** Compares the results of a batch as the answers to requests of their own. */
  #compareBatch(request: PairRequest, model: ServerAnswer, real: RealAnswer): string[] {
    const [ours, theirs] = [model, real].map(({ text }) => (JSON.parse(text) as BatchResults).data)
    const { operations = [] } = request
    return operations.flatMap(({ method, path: url }, index) => {
      const [one, other] = [ours?.[index], theirs?.[index]]
      if (one?.key !== other?.key || one?.status !== other?.status)
        return [
          `result ${index}: the model has ${one?.key} ${one?.status}, the server ${other?.key} ${other?.status}`,
        ]
      if (!one || !other || one.status === null || other.status === null) return []
      const own = { ...one, status: one.status, text: JSON.stringify(one.body) }
      const answer = { ...other, status: other.status, text: JSON.stringify(other.body) }
      return this.#compare({ ...request, method, url }, own, answer)
    })
  }
}

/** The body with the versions as one of the servers knows them. */
const bodyWith = (
  { body, operations }: PairRequest,
  versionOf: (version: number | undefined) => number | undefined,
): Fields | undefined =>
  operations
    ? {
        operations: operations.map(({ ifMatch, ...one }) => ({
          ...one,
          ...(ifMatch !== undefined && { if_match: `"${versionOf(ifMatch)}"` }),
        })),
      }
    : body

interface RealAnswer {
  status: number
  text: string
  headers: Record<string, string | null | undefined>
}

const nameIn = (name: string) => new RegExp(`(?<![\\w-])${name}(?![\\w-])`, 'g')

const headersOf = (
  organisation_id: string | undefined,
  key: string | undefined,
  ifMatch: number | undefined,
): Record<string, string> => ({
  ...(organisation_id && { 'X-organisation': organisation_id }),
  ...(key && { 'Idempotency-Key': key }),
  ...(ifMatch !== undefined && { 'If-Match': `"${ifMatch}"` }),
})
