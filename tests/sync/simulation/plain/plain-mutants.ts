// Bugs planted on purpose that only a server without keys, ids or versions shows.
import { upcast, type Operation } from '../../../../src/sync/core/operation.ts'
import type { Ports } from '../../../../src/sync/core/ports.ts'
import { inTransactions, jsonAnswer, wrap } from '../mutate.ts'
import { TABLE_OF } from './copy-log.ts'
import { plainDeletionMutants } from './plain-deletion-mutants.ts'
import { isDeletion } from './plain-deletions.ts'
import type { PlainMutant } from './plain-run.ts'
import { requestMutants } from './request-mutants.ts'

const changing = (ports: Ports, change: (operation: Operation) => Operation) =>
  ports.store.transact(['operations'], 'strict', async (tx) => {
    for (const one of (await tx.all('operations', [])).map(upcast))
      if (one) tx.put('operations', one.id, change(one))
  })

/** Changes each operation as it is read. */
const reading = (ports: Ports, change: (operation: Operation) => Operation) => {
  ports.store = inTransactions(ports.store, (tx) => {
    const changed = (value: unknown) => {
      const operation = upcast(value)
      return operation ? change(operation) : value
    }
    return {
      get: async (table, key) => {
        const value = await tx.get(table, key)
        return table === 'operations' ? changed(value) : value
      },
      all: async (table, prefix) => {
        const values = await tx.all(table, prefix)
        return table === 'operations' ? values.map(changed) : values
      },
    }
  })
}

const isAlias = (table: string, key: string | string[]) => table === 'session' && key[0] === 'alias'

/** What was there before the first attempt is not known: an earlier twin may be taken for its record. */
export const forgetEarlierTwins = (ports: Ports): void =>
  reading(ports, ({ attempt, known_before, ...one }) => ({
    ...one,
    ...(attempt && { attempt: { ...attempt, ...(attempt.known && { known: [] }) } }),
    ...(known_before && { known_before: [] }),
  }))

export const plainMutants: readonly PlainMutant[] = [
  ...plainDeletionMutants,
  ...requestMutants,
  {
    name: 'acknowledge by id only',
    engine: ({ outbox }) => {
      wrap(outbox, 'acknowledge', (acknowledge) => async (id, answer, arrival) => {
        const operation = (await outbox.all()).find((one) => one.id === id)
        const own = (operation?.input.body as { id?: string } | undefined)?.id
        if (own !== undefined && own !== answer.id) return operation
        return await acknowledge(id, answer, arrival)
      })
    },
  },
  {
    name: 'no back-off after an odd answer',
    ports: (ports) =>
      reading(ports, ({ attempt, ...one }) => {
        if (!attempt) return one
        const { taken, ...rest } = attempt
        return taken
          ? { ...one, not_before: 0, attempt: { ...rest, repeat: true } }
          : { ...one, attempt }
      }),
  },
  {
    name: 'alias outside the transaction',
    ports: (ports) => {
      const { store } = ports
      ports.store = {
        transact: (tables, mode, work) => {
          const late: [string[], unknown][] = []
          const done = store.transact(tables, mode, (tx) =>
            work({
              ...tx,
              put: (table, key, value) => {
                if (isAlias(table, key)) late.push([key as string[], value])
                else tx.put(table, key, value)
              },
            }),
          )
          return done.then(async (value) => {
            if (late.length > 0)
              await store.transact(['session'], 'readwrite', async (tx) => {
                for (const [key, alias] of late) tx.put('session', key, alias)
              })
            return value
          })
        },
      }
    },
  },
  {
    name: 'alias forgotten by a second tab',
    ports: (ports, { name }) => {
      // Only the first tab of each device reads them.
      if (name.endsWith('-1')) return
      ports.store = inTransactions(ports.store, (tx) => ({
        all: async (table, prefix) =>
          table === 'session' && prefix[0] === 'alias' ? [] : await tx.all(table, prefix),
      }))
    },
  },
  {
    name: 'alias of another table',
    ports: (ports) => {
      // One space of ids for all tables.
      ports.store = inTransactions(ports.store, (tx) => ({
        all: async (table, prefix) => {
          const values = await tx.all(table, prefix)
          if (table !== 'session' || prefix[0] !== 'alias') return values
          return values.flatMap((alias) =>
            Object.keys(TABLE_OF).map((name) => ({ ...(alias as object), table: name })),
          )
        },
      }))
    },
  },
  {
    name: 'repeat after the server has forgotten the key',
    engine: ({ outbox }) => {
      wrap(outbox, 'claim', (claim) => (ids, lifetimeMs) => claim(ids, lifetimeMs && Infinity))
    },
  },
  { name: 'look matches an earlier twin', ports: forgetEarlierTwins, repeated: 0.8 },
  {
    name: 'repeat without looking',
    ports: (ports) =>
      reading(ports, ({ attempt, ...one }) =>
        attempt ? { ...one, attempt: { ...attempt, repeat: true } } : one,
      ),
  },
  {
    name: 'look too early',
    ports: (ports) => {
      // The attempt is taken to have ended long ago, and one reading is enough.
      reading(ports, ({ attempt, ...one }) =>
        attempt
          ? { ...one, attempt: { ...attempt, at: 0, missing_at: attempt.missing_at ?? 1 } }
          : one,
      )
    },
  },
  {
    name: 'one record settles two',
    ports: (ports) => {
      // Which records are taken is not known: neither the aliases nor the log of what was sent.
      ports.store = inTransactions(ports.store, (tx) => ({
        all: async (table, prefix) => {
          const values = await tx.all(table, prefix)
          return table === 'session' && prefix[0] === 'alias' ? [] : values
        },
        get: async (table, key) =>
          table === 'cache' && String(key[2]).startsWith('=sent')
            ? undefined
            : await tx.get(table, key),
      }))
    },
  },
  {
    name: 'lock stolen without keys',
    ports: (ports) => {
      wrap(
        ports.locks,
        'withLock',
        (withLock) => (name, options, work) =>
          withLock(name, name === 'cairn-replay' ? { timeoutMs: 0, steal: true } : options, work),
      )
    },
  },
  {
    name: 'missing page is gone',
    ports: (ports) => {
      // A page that is refused or not answered is taken for the empty end of its list, and what it would have
      // had for deleted.
      let isMissing = false
      wrap(ports.network, 'exchange', (exchange) => async (request) => {
        const isPage = request.method === 'GET' && /[?&](page|cursor)=(?!1\b)/.test(request.url)
        const isSingle = request.method === 'GET' && /s\/[^/?]+$/.test(request.url)
        if (isSingle && isMissing) return jsonAnswer(404, { message: 'Gone.' })
        const answer = await exchange(request).catch((error: unknown) => {
          if (!isPage) throw error
        })
        isMissing ||= isPage && (answer?.status ?? 500) >= 400
        return answer && !(isPage && answer.status >= 400) ? answer : jsonAnswer(200, { data: [] })
      })
    },
  },
  {
    name: 'unread is gone',
    ports: (ports) => {
      // A record without a title, which cannot be read, is taken for one that is not there.
      wrap(ports.network, 'exchange', (exchange) => async (request) => {
        const answer = await exchange(request)
        if (request.method !== 'GET' || !answer.text.startsWith('{"data":')) return answer
        if (!/\/(accounts|success-plans|initiatives|actions)\b/.test(request.url)) return answer
        const body = JSON.parse(answer.text) as { data: unknown }
        const isUnread = (one: unknown) => {
          const { title, name } = one as { title?: unknown; name?: unknown }
          return title === null || name === null
        }
        if (!Array.isArray(body.data))
          return isUnread(body.data) ? jsonAnswer(404, { message: 'Gone.' }) : answer
        const data = body.data.filter((one) => !isUnread(one))
        return { ...answer, text: JSON.stringify({ ...body, data }) }
      })
    },
  },
  {
    name: 'capability lost by a 502',
    engine: (engine, { ports }) => {
      wrap(ports.network, 'exchange', (exchange) => async (request) => {
        const answer = await exchange(request)
        const user_id = engine.session.caller()?.user_id
        if (answer.status === 502 && user_id !== undefined)
          engine.http.capabilities.learn(answer, user_id)
        return answer
      })
    },
  },
  {
    name: 'PUT of a part',
    engine: ({ http: { capabilities } }) => {
      wrap(capabilities, 'has', (has) => (name) => name === 'partial' || has(name))
    },
  },
  {
    name: 'a base with a version is not compared by fields',
    engine: ({ outbox: { conflicts } }) => {
      wrap(
        conflicts,
        'isInConflict',
        (isInConflict) => async (operation, theirs) =>
          (isDeletion(operation) || operation.base?.version === 0) &&
          (await isInConflict(operation, theirs)),
      )
    },
  },
  {
    name: 'a base without a version passes as any version',
    ports: ({ network }) => {
      wrap(network, 'exchange', (exchange) => (request) => {
        const { 'If-Match': match, ...headers } = request.headers
        return exchange(match === '"0"' ? { ...request, headers } : request)
      })
    },
  },
  {
    name: 'what an update changes is forgotten when it is split off',
    ports: (ports) => {
      ports.store = inTransactions(ports.store, (tx) => ({
        put: (table, key, value) => {
          const { endpoint, seq = 0 } = upcast(value) ?? {}
          if (endpoint !== 'updateSuccessPlan' || Number.isInteger(seq)) tx.put(table, key, value)
        },
      }))
    },
  },
  {
    name: 'outbox sent to another API',
    ports: (ports) => reading(ports, (one) => ({ ...one, api: ports.api().baseUrl })),
  },
  {
    name: 'that weekends are skipped is asked of the record',
    ports: ({ calls }) => {
      const call = calls.createSuccessPlan
      const policy = call?.offlinePolicy
      if (policy)
        call.offlinePolicy = {
          ...policy,
          asked: (input, created_at) => {
            const { skip_weekends } = input.body as { skip_weekends?: boolean }
            return { ...policy.asked?.(input, created_at), ...(skip_weekends && { skip_weekends }) }
          },
        }
    },
  },
  {
    name: 'If-Match to a plain server',
    engine: ({ http }) => {
      wrap(http, 'call', (call) => (what, input, options) => {
        const isEdit = what.method !== 'GET' && what.method !== 'POST'
        const headers = { ...options?.headers, 'If-Match': '"0"' }
        return call(what, input, isEdit ? { ...options, headers } : options)
      })
    },
  },
  {
    name: 'an attempt is not noted',
    engine: ({ outbox }, { ports }) => {
      wrap(outbox, 'beginAttempt', (begin) => async (operation, known) => {
        const begun = await begin(operation, known)
        await changing(ports, ({ attempt, ...one }) =>
          one.id === operation.id
            ? { ...one, attempts: 0 }
            : { ...one, ...(attempt && { attempt }) },
        )
        return begun
      })
    },
  },
]
