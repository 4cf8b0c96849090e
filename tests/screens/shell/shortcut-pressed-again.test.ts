// @vitest-environment jsdom
// The second press of a shortcut of the installed app did nothing, and a reload opened the shortcut again.
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { startInstalledApp } from '../../../src/app/boot/installed-app.ts'
import type { SyncClient } from '../../../src/sync/client.ts'
import { loadPage } from '../../../src/ui/platform/load-page.ts'
import { openOffline } from '../fixtures/offline-client.ts'

vi.mock(import('../../../src/ui/platform/load-page.ts'), async (original) => ({
  ...(await original()),
  loadPage: vi.fn(() => true),
}))

const NEW_PLAN = 'https://cairn.test/success-plans/new?source=shortcut'
const SHARED = 'https://cairn.test/success-plans?share_text=Minutes'

let client: SyncClient
beforeAll(async () => {
  client = await openOffline()
})
beforeEach(() => vi.mocked(loadPage).mockClear())

/**
 * The app in a document that was opened in such a way, with the launches that Chromium has queued. Returns what
 * launches it later.
 */
function start(type: NavigationTimingType, openedUrl: string, queued: string[]) {
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([
    { type, name: openedUrl } as PerformanceNavigationTiming,
  ])
  let launch: (targetURL: string) => void = vi.fn()
  const launchQueue = {
    // Delivers what is queued before it returns.
    setConsumer(consumer: (launch: { targetURL: string }) => void) {
      launch = (targetURL) => consumer({ targetURL })
      queued.forEach(launch)
    },
  }
  vi.stubGlobal('launchQueue', launchQueue)
  startInstalledApp(client, undefined)
  return launch
}
const opened = () => vi.mocked(loadPage).mock.calls.map(([url]) => url)

test('the launch that opened the document opens nothing else', () => {
  start('navigate', NEW_PLAN, [NEW_PLAN])
  expect(opened()).toEqual([])
})

test('a launch that came while the document loaded is opened', () => {
  start('navigate', 'https://cairn.test/accounts', [SHARED])
  expect(opened()).toEqual([SHARED])
})

test('each press of a shortcut in a running window opens it, also where the document began there', () => {
  const launch = start('navigate', NEW_PLAN, [])
  launch(NEW_PLAN)
  launch(NEW_PLAN)
  expect(opened()).toEqual([NEW_PLAN, NEW_PLAN])
})

test('a reload, which repeats the last launch, stays where it is', () => {
  const launch = start('reload', 'https://cairn.test/accounts', [SHARED])
  expect(opened()).toEqual([])
  launch(SHARED)
  expect(opened()).toEqual([SHARED])
})

test('a launch by the icon only brings the window to the front', () => {
  const launch = start('navigate', 'https://cairn.test/accounts', [])
  launch('https://cairn.test/?source=icon')
  expect(opened()).toEqual([])
})
