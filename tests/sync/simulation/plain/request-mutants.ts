// Planted bugs in how many requests the engine makes.
import { wrap } from '../mutate.ts'
import type { PlainMutant } from './plain-run.ts'

export const requestMutants: readonly PlainMutant[] = [
  {
    name: 'a record is read twice before an edit',
    engine: ({ http }) => {
      wrap(http, 'call', (call) => async (what, input, options) => {
        const isForEdit = what.method === 'GET' && 'lane' in (options?.caller ?? {})
        if (isForEdit) await call(what, input, options)
        return await call(what, input, options)
      })
    },
  },
  {
    name: 'new tokens are refreshed at once',
    engine: ({ session }) => {
      wrap(session, 'refresh', (refresh) => async (stale) => {
        const first = await refresh(stale)
        const { access_token } = session.current().session ?? {}
        if (first !== 'refreshed' || access_token === undefined) return first
        return await refresh({ ...stale, access_token })
      })
    },
  },
  {
    name: 'a call is repeated with the tokens that were refused',
    engine: ({ session }) => {
      wrap(session, 'refresh', () => async () => 'renewed' as const)
    },
  },
]
