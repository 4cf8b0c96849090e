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
    name: 'a record is read once more when the answer to its edit has shown it',
    engine: ({ http }) => {
      wrap(http, 'call', (call) => {
        let forEdit: Parameters<typeof call> | undefined
        return async (...args) => {
          const [{ method }, , options] = args
          const outcome = await call(...args)
          const isOfEdit = forEdit?.[2]?.caller === options?.caller
          if (method === 'GET') forEdit = args
          else if (forEdit && isOfEdit && outcome.kind === 'answered') await call(...forEdit)
          return outcome
        }
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
