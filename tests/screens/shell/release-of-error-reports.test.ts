// @vitest-environment jsdom
// An error report must name the build that it comes from.
import { expect, test, vi } from 'vitest'
import { startSentry } from '../../../src/app/telemetry/sentry-client.ts'
import { createSync } from '../../../src/sync/client.ts'
import { waitFor } from '../../wait-for.ts'

test('the release of an error report is the folder of the build', async () => {
  createSync(() => Promise.reject(new Error('No engine.')))
  document.head.innerHTML =
    '<script type="module" src="/assets/build-ee714a8771/index.js"></script>'
  const sent = vi.fn(async (_url: string, _init: { body: string }) => new Response())
  vi.stubGlobal('fetch', sent)
  const report = startSentry({
    clientId: '',
    clientSecret: '',
    redirects: [],
    sentryDsn: 'https://key@sentry.example.com/42',
  } as never)
  report(new TypeError('It broke'))
  await waitFor(() => expect(sent).toHaveBeenCalled())
  expect(String(sent.mock.calls[0]?.[1].body)).toContain('"release":"cairn@ee714a8771"')
})
