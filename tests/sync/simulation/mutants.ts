// Bugs planted on purpose, one at a time, behind the ports or over public methods: the shipped code is
// unchanged. One that the simulation does not detect is a bug that it would miss.
import { engineTable } from '../../../contract/engine-table.ts'
import { Replica } from '../../../src/sync/core/replica.ts'
import { upcast } from '../../../src/sync/core/operation.ts'
import type { Transaction } from '../../../src/sync/core/ports.ts'
import { conflictMutants } from './conflict-mutants.ts'
import { answerMutants } from './mutants/answer-mutants.ts'
import { batchMutants } from './mutants/batch-mutants.ts'
import { deletionMutants } from './mutants/deletion-mutants.ts'
import { formMutants } from './mutants/form-mutants.ts'
import { buildMutants } from './mutants/build-mutants.ts'
import { recordMutants } from './mutants/record-mutants.ts'
import { viewMutants } from './mutants/view-mutants.ts'
import { jsonAnswer, inTransactions, removing, wrap } from './mutate.ts'
import type { Mutant } from './run.ts'

const REFRESH = 'cairn-refresh'

export const mutants: readonly Mutant[] = [
  ...conflictMutants,
  ...answerMutants,
  ...batchMutants,
  ...formMutants,
  ...recordMutants,
  ...buildMutants,
  ...deletionMutants,
  ...viewMutants,
  {
    name: 'confirm before durable',
    ports: (ports) => {
      const { store } = ports
      ports.store = {
        transact: (tables, mode, work) =>
          new Promise((resolve, reject) => {
            const early = async (tx: Transaction) => {
              const value = await work(tx)
              if (mode === 'strict') resolve(value)
              return value
            }
            store.transact(tables, mode, early).then(resolve, reject)
          }),
      }
    },
  },
  {
    name: 'delete before send',
    engine: ({ outbox }, { ports }) => {
      wrap(outbox, 'claim', (claim) => async (ids) => {
        const claimed = await claim(ids)
        await removing(ports, ({ id }) => claimed.some((one) => one.id === id))
        return claimed
      })
    },
  },
  {
    name: 'a new key for each attempt',
    ports: (ports) => {
      const { network } = ports
      ports.network = {
        ...network,
        exchange: (request) => {
          const { 'Idempotency-Key': key, ...headers } = request.headers
          if (key === undefined) return network.exchange(request)
          return network.exchange({
            ...request,
            headers: { ...headers, 'Idempotency-Key': ports.random.id(), 'X-Original-Key': key },
          })
        },
      }
    },
  },
  {
    name: 'drop on 401',
    engine: ({ http }, { ports }) => {
      let refused = new Set<string>()
      wrap(ports.network, 'exchange', (exchange) => async (request) => {
        const answered = await exchange(request)
        const key = request.headers['Idempotency-Key']
        if (answered.status === 401 && key !== undefined) refused.add(key)
        return answered
      })
      wrap(http, 'call', (call) => async (what, input, options) => {
        const outcome = await call(what, input, options)
        const gone = refused
        refused = new Set()
        if (gone.size > 0) await removing(ports, ({ id }) => gone.has(id))
        return outcome
      })
    },
  },
  {
    name: 'drop on any 4xx',
    engine: ({ outbox }, { ports }) => {
      outbox.reject = async (id) => {
        await removing(ports, (operation) => operation.id === id)
        return undefined
      }
    },
  },
  {
    name: 'any 2xx is success',
    ports: (ports) => {
      wrap(ports.network, 'exchange', (exchange) => async (request) => {
        const response = await exchange(request)
        if (response.status !== 200 || !response.header('content-type')?.startsWith('text/html'))
          return response
        return request.method === 'GET'
          ? response
          : jsonAnswer(200, JSON.parse(request.body ?? '{}'))
      })
      for (const call of Object.values(ports.calls)) {
        if (!call.offlinePolicy) continue
        call.read = (value) => ({ ok: true, value })
        call.offlinePolicy = { ...call.offlinePolicy, matches: () => true }
      }
    },
  },
  {
    name: 'active organisation at replay',
    engine: ({ http, session }) => {
      wrap(http, 'call', (call) => (what, input, options) => {
        const active = session.current().session?.active_organisation?.id ?? null
        const caller = options?.caller && { ...options.caller, organisation_id: active }
        return call(what, input, { ...options, caller })
      })
    },
  },
  {
    name: 'send as whoever is signed in',
    engine: ({ http, outbox, session }) => {
      const present = () => session.current().session?.user.id ?? ''
      wrap(
        outbox,
        'all',
        (all) => async () => (await all()).map((one) => ({ ...one, user_id: present() })),
      )
      wrap(http, 'call', (call) => (what, input, options) => {
        const caller = options?.caller && { ...options.caller, user_id: present() }
        return call(what, input, { ...options, caller })
      })
    },
  },
  {
    name: 'attribute to the present session',
    engine: ({ session }, { ports }) => {
      wrap(session, 'signIn', (signIn) => async (signedIn) => {
        await signIn(signedIn)
        await ports.store.transact(['operations'], 'strict', async (tx) => {
          for (const operation of (await tx.all('operations', [])).map(upcast))
            if (operation)
              tx.put('operations', operation.id, { ...operation, user_id: signedIn.user.id })
        })
      })
    },
  },
  {
    name: 'order by clock',
    ports: (ports) => {
      ports.store = inTransactions(ports.store, (tx) => ({
        put: (table, key, value) => {
          const operation = table === 'operations' ? upcast(value) : undefined
          const fresh = operation && operation.attempts === 0 && operation.state === 'pending'
          const seq = Date.parse(operation?.created_at ?? '')
          tx.put(table, key, fresh ? { ...operation, seq } : value)
        },
      }))
    },
  },
  {
    name: 'a new cache version drops the queue',
    engine: (engine, { ports }) => {
      wrap(engine, 'start', (start) => async (local) => {
        if (ports.random.fraction() < 0.2) await removing(ports, () => true)
        await start(local)
      })
    },
  },
  {
    name: 'sign-out drops the queue',
    engine: ({ session }, { ports }) => {
      wrap(session, 'signOut', (signOut) => async (user_id, ...rest) => {
        const ended = await signOut(user_id, ...rest)
        await removing(ports, (operation) => operation.user_id === user_id)
        return ended
      })
    },
  },
  {
    name: 'no refresh lock',
    ports: (ports) => {
      const { locks } = ports
      ports.locks = {
        withLock: async (name, options, work) =>
          name === REFRESH ? { value: await work() } : await locks.withLock(name, options, work),
      }
    },
  },
  {
    name: 'no re-read inside the lock',
    engine: ({ session }) => {
      let refreshing = false
      wrap(
        session,
        'reload',
        (reload) => async () => (refreshing ? session.current() : await reload()),
      )
      wrap(session, 'refresh', (refresh) => (spent) => {
        refreshing = true
        return refresh(spent).finally(() => (refreshing = false))
      })
    },
  },
  {
    name: 'lock never released',
    ports: (ports) => {
      const { locks } = ports
      ports.locks = {
        withLock: (name, options, work) =>
          new Promise((resolve, reject) => {
            const stay = async () => {
              const value = await work()
              resolve({ value })
              return await new Promise<typeof value>(() => undefined)
            }
            locks.withLock(name, options, stay).then(resolve, reject)
          }),
      }
    },
  },
  {
    name: 'no read fence',
    engine: ({ outbox }) => {
      wrap(outbox, 'prune', (prune) => (_tick, covers) => prune(Number.MAX_SAFE_INTEGER, covers))
    },
  },
  {
    name: 'drop on acknowledgement',
    engine: ({ outbox }, { ports }) => {
      outbox.acknowledge = async (id) => {
        await removing(ports, (operation) => operation.id === id)
        return undefined
      }
    },
  },
  {
    name: 'no epoch check on a cache write',
    engine: (engine, { ports }) =>
      wrap(engine, 'replicaOf', () => (scope) => {
        const anySession = { seq: 0, session: { user: { id: scope.user_id } } }
        const store = inTransactions(ports.store, (tx) => ({
          get: async (table, key) => (table === 'session' ? anySession : await tx.get(table, key)),
        }))
        return new Replica(store, engineTable.partitions, scope)
      }),
  },
  {
    name: 'look before resending instead of keys',
    ports: (ports) => {
      const { network } = ports
      const sent = new Set<string>()
      ports.network = {
        ...network,
        exchange: async (request) => {
          const { 'Idempotency-Key': key, ...headers } = request.headers
          if (key === undefined) return await network.exchange(request)
          const requestBody = JSON.parse(request.body ?? '{}') as { title?: string; id?: string }
          if (sent.has(key) && requestBody.title !== undefined) {
            const url = '/api/v1/changes?since=0'
            const look = { ...request, method: 'GET', url, headers }
            const { body: _, ...question } = look
            const found = await network.exchange(question)
            if (found.text.includes(`"${requestBody.title}"`)) return jsonAnswer(200, requestBody)
          }
          sent.add(key)
          const attemptKey = `${key} ${sent.size}`
          return await network.exchange({
            ...request,
            headers: { ...headers, 'Idempotency-Key': attemptKey },
          })
        },
      }
    },
  },
  { name: 'server forgets keys too soon', server: { key_life: 500 } },
  {
    name: 'children sent before their parent',
    ports: ({ calls }) => {
      for (const call of Object.values(calls))
        if (call.offlinePolicy) call.offlinePolicy = { ...call.offlinePolicy, references: () => [] }
    },
  },
  {
    name: 'unreachable counted as refused',
    ports: (ports) => {
      wrap(ports.network, 'exchange', (exchange) => async (request) => {
        const refresh = request.body?.includes('"refresh_token"') === true
        const refused = jsonAnswer(400, { error: 'invalid_grant' })
        if (!refresh) return await exchange(request)
        const response = await exchange(request).catch(() => refused)
        return response.status < 300 ? response : refused
      })
    },
  },
]
