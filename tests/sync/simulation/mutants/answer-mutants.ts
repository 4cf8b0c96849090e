// Planted bugs in what an answer of the server, or of something in front of it, is taken for.
import type { Engine } from '../../../../src/sync/core/engine.ts'
import { upcast } from '../../../../src/sync/core/operation.ts'
import type { Ports } from '../../../../src/sync/core/ports.ts'
import { jsonAnswer, removing, wrap } from '../mutate.ts'
import type { Mutant } from '../run.ts'

/** Takes the busy answers with that status for refusals. */
const refusing =
  (status: number) =>
  ({ http }: Engine) =>
    wrap(http, 'call', (call) => async (...args) => {
      const outcome = await call(...args)
      return outcome.kind === 'busy' && outcome.error.status === status
        ? { kind: 'refused', error: outcome.error }
        : outcome
    })

const NEEDS_ATTENTION = {
  state: 'attention',
  last_error: { status: 422, message: 'Not sent.' },
} as const

const putIntoAttention = (ports: Ports, which: (lane: string, id: string) => boolean) =>
  ports.store.transact(['operations'], 'readwrite', async (tx) => {
    for (const one of (await tx.all('operations', [])).map(upcast))
      if (one?.state === 'pending' && which(one.lane, one.id))
        tx.put('operations', one.id, { ...one, ...NEEDS_ATTENTION })
  })

export const answerMutants: readonly Mutant[] = [
  { name: 'a second 401 counted as refused', engine: refusing(401) },
  { name: 'a busy 409 counted as refused', engine: refusing(409) },
  {
    name: 'a page with 403 counted as refused',
    ports: (ports) => {
      wrap(ports.network, 'exchange', (exchange) => async (request) => {
        const response = await exchange(request)
        return response.status === 403 ? jsonAnswer(403, { message: 'No.' }) : response
      })
    },
  },
  {
    name: 'an answered operation needs attention',
    engine: ({ outbox }) => {
      let answered = 0
      wrap(outbox, 'acknowledge', (acknowledge) => async (id, answer, arrival) => {
        answered += 1
        return answered % 2 === 0
          ? await outbox.reject(id, NEEDS_ATTENTION.last_error)
          : await acknowledge(id, answer, arrival)
      })
    },
  },
  {
    name: 'a refusal holds its whole lane',
    engine: ({ outbox }, { ports }) => {
      wrap(outbox, 'reject', (reject) => async (id, error) => {
        const rejected = await reject(id, error)
        await putIntoAttention(ports, (lane, other) => lane === rejected?.lane && other !== id)
        return rejected
      })
    },
  },
  {
    name: 'what was discarded is sent',
    engine: ({ outbox }, { ports }) => {
      wrap(outbox, 'discard', (discard) => async (id) => {
        const discarded = await discard(id)
        await ports.store.transact(['operations'], 'readwrite', async (tx) => {
          for (const one of discarded) tx.put('operations', one.id, one)
        })
        return discarded
      })
    },
  },
  {
    name: 'what could not be discarded is forgotten',
    engine: ({ outbox }, { ports }) => {
      const late = new Set<string>()
      outbox.discard = async (ids) => {
        for (const id of [ids].flat()) late.add(id)
        throw new Error('It is being sent.')
      }
      wrap(outbox, 'claim', (claim) => async (ids) => {
        await removing(ports, ({ id }) => late.has(id))
        return await claim(ids)
      })
    },
  },
  {
    name: 'a ghost stays',
    ports: (ports) => {
      wrap(ports.network, 'exchange', (exchange) => async (request) => {
        const response = await exchange(request)
        if (response.status !== 200 || !request.url.includes('/changes')) return response
        const body = JSON.parse(response.text.startsWith('{') ? response.text : '{}') as {
          data?: { deleted: unknown[] }
        }
        if (!body.data) return response
        return jsonAnswer(200, { ...body, data: { ...body.data, deleted: [] } })
      })
    },
  },
  {
    name: 'an event is stored whatever the replica has',
    engine: ({ puller }) => {
      wrap(puller, 'applyEvent', (applyEvent) => async (replica, event) => {
        const { since } = await replica.cursor()
        return event.version > since && (await applyEvent(replica, { ...event, previous: since }))
      })
    },
  },
  {
    name: 'an event settles all that was acknowledged',
    engine: ({ outbox }) => {
      wrap(
        outbox,
        'prune',
        (prune) => (fence, isCovered) => prune(fence, fence === Infinity ? () => true : isCovered),
      )
    },
  },
  {
    name: 'backoff ignored',
    engine: ({ outbox }) => {
      wrap(outbox, 'postpone', (postpone) => (id, _not_before, error) => postpone(id, 0, error))
    },
  },
]
