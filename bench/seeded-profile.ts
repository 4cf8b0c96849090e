// A browser profile with an organisation stored in it, for the app and for the floors.
import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'vite'
import react from '@vitejs/plugin-react'
import { VitePWA } from 'vite-plugin-pwa'
import type { Account } from '../contract/schemas/accounts.ts'
import type { Changes } from '../contract/schemas/changes.ts'
import type { SuccessPlan, SuccessPlanUpdate } from '../contract/schemas/success-plans.ts'
import { buildApp } from '../tests/browser/fixtures/build-app.ts'
import { ServerProcess } from '../tests/browser/fixtures/server-process.ts'
import { waitUntil } from '../tests/browser/fixtures/wait-until.ts'
import { Browser } from './browser.ts'
import { fill, type SeedResult } from './fill-database.ts'
import { startLatencyServer } from './latency-server.ts'

/** The first visit installs the app; from the second on the browser caches compiled code. */
const VISITS = 3
const FLOORS = join(import.meta.dirname, 'floors')

/** The size of an organisation, by the number of its plans. */
export const SIZES = {
  200: {},
  2_000: {},
  10_000: {},
  20_000: { accounts: 5_000, updates: 5 },
}
export type Plans = keyof typeof SIZES

/** Everything that a device downloads of the organisation. */
interface Records {
  plans: (SuccessPlan & { account: string | undefined })[]
  accounts: Account[]
  updates: SuccessPlanUpdate[]
}

export interface SeededProfile extends Records {
  profile: string
  /** The origins of the app and of the floors of a start: hand-written, and the app's libraries only. */
  app: string
  floor: string
  stack: string
}

let built: Promise<string> | undefined
/** The app, built once for all measurements. */
export const builtApp = (folder: string): Promise<string> =>
  (built ??= buildApp(join(folder, 'app')))

const profiles = new Map<Plans, Promise<SeededProfile>>()

/** The profile with that many plans, made once; copy it before changing it. */
export function seededProfile(folder: string, plans: Plans = 2_000): Promise<SeededProfile> {
  const known = profiles.get(plans) ?? seedProfile(folder, plans)
  profiles.set(plans, known)
  return known
}

/** A private copy of that profile. */
export async function copyProfile({ profile }: SeededProfile, copy: string): Promise<string> {
  await cp(profile, copy, { recursive: true, filter: (file) => !/Singleton/.test(file) })
  return copy
}

async function seedProfile(folder: string, plans: Plans): Promise<SeededProfile> {
  await using ends = new AsyncDisposableStack()
  const place = (name: string) => join(folder, `${name}-${plans}`)
  const filled = await fill(place('data'), { plans, people: 1, ...SIZES[plans] })
  const dist = await builtApp(folder)
  const server = await ServerProcess.start({ dataDir: place('data'), dist })
  ends.defer(() => server.stop())
  const records = await recordsOf(server.url, filled)
  const serve = async (files: string) => {
    await writeFile(join(files, 'plans.json'), JSON.stringify(records.plans))
    const peer = await startLatencyServer(files)
    ends.defer(() => peer.stop())
    return peer.url
  }
  await cp(join(FLOORS, 'list'), place('floor'), { recursive: true })
  await buildStack(place('stack'))
  const [floor, stack] = [await serve(place('floor')), await serve(place('stack'))]
  const profile = place('profile')
  for (let visit = 1; visit <= VISITS; visit += 1) {
    await using browser = await Browser.start(profile)
    if (visit === 1) await signIn(browser, server.url, filled)
    for (const url of [`${server.url}/success-plans`, `${floor}/`, `${stack}/`]) {
      await browser.goto(url)
      await waitUntil(
        `${url} is ready for offline use`,
        () => browser.run(isReady),
        DOWNLOAD_TIMEOUT_MS,
      )
    }
  }
  return { ...records, profile, app: server.url, floor, stack }
}

/** Milliseconds; enough for the largest organisation on a busy machine. */
const DOWNLOAD_TIMEOUT_MS = 300_000

async function buildStack(outDir: string): Promise<void> {
  await build({
    configFile: false,
    root: join(FLOORS, 'stack'),
    logLevel: 'error',
    plugins: [react(), VitePWA({ manifest: false, workbox: { navigateFallback: '/index.html' } })],
    build: { outDir, emptyOutDir: true, target: 'esnext', modulePreload: { polyfill: false } },
  })
}

/** In the page: the plans are visible, the replica is complete, and the worker controls the page. */
async function isReady(): Promise<boolean> {
  const worker = await navigator.serviceWorker.getRegistration()
  return (
    document.querySelector('[data-plan]') !== null &&
    worker?.active?.state === 'activated' &&
    document.body.innerText.includes('Up to date')
  )
}

async function recordsOf(url: string, { organisation, people }: SeedResult): Promise<Records> {
  const headers = {
    Authorization: `Bearer ${people[0]?.access_token}`,
    'X-organisation': organisation.id,
  }
  const pages: Changes['data'][] = []
  for (let since = 0, more = true; more;) {
    const answer = await fetch(`${url}/api/v1/changes?since=${since}`, { headers })
    const page = (await answer.json()) as Changes
    pages.push(page.data)
    ;({ version: since, more } = page)
  }
  const accounts = pages.flatMap((page) => page.accounts ?? [])
  const names = new Map(accounts.map(({ id, name }) => [id, name]))
  return {
    accounts,
    updates: pages.flatMap((page) => page.success_plan_updates ?? []),
    plans: pages
      .flatMap((page) => page.success_plans ?? [])
      .map((plan) => ({ ...plan, account: names.get(plan.account_id ?? '') })),
  }
}

/** Stores a session as a sign-in would. */
export async function signIn(browser: Browser, url: string, filled: SeedResult): Promise<void> {
  await browser.goto(`${url}/healthz`)
  const { organisation, people } = filled
  const session = {
    access_token: people[0]?.access_token ?? '',
    refresh_token: 'none',
    user: JSON.stringify({ id: people[0]?.id, name: 'Ada Fell' }),
    active_organisation: JSON.stringify(organisation),
    session_seq: '1',
  }
  await browser.run((kept) => Object.assign(localStorage, kept), session)
}
