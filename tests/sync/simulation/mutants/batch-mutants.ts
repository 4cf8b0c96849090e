// Planted bugs in batches: in what is sent as one, and in what its results are taken for.
import type { BatchOperation, BatchResults } from '../../../../contract/schemas/batch.ts'
import type { NetworkResponse, Ports } from '../../../../src/sync/core/ports.ts'
import { BATCH } from '../model/batch.ts'
import { jsonAnswer, wrap } from '../mutate.ts'
import type { Mutant } from '../run.ts'

type Results = BatchResults['data']

/** Changes the operations of each batch, and the results of each that was answered. */
function changing(
  ports: Ports,
  before: (operations: BatchOperation[]) => BatchOperation[],
  after: (results: Results, operations: BatchOperation[]) => Results = (results) => results,
): void {
  wrap(ports.network, 'exchange', (exchange) => async (request) => {
    if (request.url !== BATCH) return await exchange(request)
    const { operations } = JSON.parse(request.body ?? '{}') as { operations: BatchOperation[] }
    const body = JSON.stringify({ operations: before(operations) })
    const response: NetworkResponse = await exchange({ ...request, body })
    if (response.status !== 200 || !response.text.startsWith('{')) return response
    const { data } = JSON.parse(response.text) as BatchResults
    return jsonAnswer(200, { data: after(data, operations) })
  })
}

const same = (operations: BatchOperation[]) => operations

export const batchMutants: readonly Mutant[] = [
  {
    name: 'one failure fails the whole batch',
    ports: (ports) =>
      changing(ports, same, (results) => {
        const failure = results.find(({ status }) => status !== null && status >= 400)
        return failure ? results.map(({ key }) => ({ ...failure, key })) : results
      }),
  },
  {
    name: 'a batch loses the order of its lanes',
    ports: (ports) =>
      changing(
        ports,
        (operations) => operations.map(({ if_match_from: _from, ...one }) => one).toReversed(),
        (results) => results.toReversed(),
      ),
  },
  {
    name: 'half of a batch is taken for the whole',
    ports: (ports) => {
      for (const call of Object.values(ports.calls)) {
        if (!call.offlinePolicy) continue
        wrap(
          call,
          'read',
          (read) => (value, id) =>
            (value ?? '') === '' ? { ok: true, value: {} } : read(value, id),
        )
        const { matches } = call.offlinePolicy
        call.offlinePolicy = {
          ...call.offlinePolicy,
          contentDiffers: () => false,
          matches: (input, record) => Object.keys(record).length === 0 || matches(input, record),
        }
      }
      changing(ports, same, (results) =>
        results.map((one) => (one.status === null ? { ...one, status: 200 } : one)),
      )
    },
  },
  {
    name: 'a result is taken for that of the next operation',
    ports: (ports) =>
      changing(ports, same, (results) =>
        results.map(({ key }, index) => ({ ...(results.at(index - 1) as Results[number]), key })),
      ),
  },
  {
    name: 'the edits of a batch are based on nothing',
    ports: (ports) =>
      changing(ports, (operations) =>
        operations.map(({ if_match: _match, if_match_from: _from, ...one }) => one),
      ),
  },
  {
    name: 'a batch is repeated under new keys',
    ports: (ports) => {
      const keys = new Map<string, string>()
      changing(
        ports,
        (operations) =>
          operations.map(({ if_match_from: _from, ...one }) => {
            keys.set(one.key, ports.random.id())
            return { ...one, key: keys.get(one.key) ?? '' }
          }),
        (results, operations) =>
          results.map((one, index) => ({ ...one, key: operations[index]?.key ?? '' })),
      )
    },
  },
]
