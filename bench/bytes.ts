// The bytes that a browser downloads before a route is shown, with the best compression: the unit of the budgets.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import type { Place, Scenario } from './measure.ts'
import { builtApp } from './seeded-profile.ts'

/** kB of 1,000 bytes (brotli). */
export const BUDGETS = { signed_in: 120, auth: 98, until_idle: 202, precache: 450 }
/** kB: what a start on the list of plans should load until it is idle. */
const UNTIL_IDLE_GOAL = 172

const LIST = [
  'src/app/shell/layout-default.tsx',
  'src/features/success-plans/list/list-screen.tsx',
  // A phone loads a smaller list in its place.
  'src/features/success-plans/list/list-results.tsx',
]
const ROUTES = {
  signed_in: LIST,
  // What follows by itself: see `vite.chunks.ts`.
  until_idle: [
    ...LIST,
    'src/app/boot/start-app.ts',
    'src/app/boot/register-worker.ts',
    'src/app/navigation/focus-memory.tsx',
    'src/app/shell/user-menu.tsx',
    'src/app/telemetry/telemetry.tsx',
    'src/features/away/presence.tsx',
    'src/features/success-plans/list/later-parts.ts',
  ],
  auth: ['src/app/shell/layout-empty.tsx', 'src/features/session/sign-in-screen.tsx'],
}
const COMPRESSED = /\.(html|js|css|svg|webmanifest)$/

interface Chunk {
  file: string
  css?: string[]
  imports?: string[]
}

/** kB of each file of `dist`, by its name, for each budget. */
export function filesOf(dist: string): Record<keyof typeof BUDGETS, Map<string, number>> {
  const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Record<
    string,
    Chunk
  >
  const weigh = (files: Iterable<string>) =>
    new Map([...new Set(files)].map((file) => [file, weight(join(dist, file))]))
  const filesWith = (key: string, seen: Set<string>): string[] => {
    if (seen.has(key)) return []
    seen.add(key)
    const chunk = manifest[key]
    if (!chunk) throw new Error(`The build has no ${key}.`)
    const below = (chunk.imports ?? []).flatMap((one) => filesWith(one, seen))
    return [chunk.file, ...(chunk.css ?? []), ...below]
  }
  const page = readFileSync(join(dist, 'index.html'), 'utf8')
  // The resources that the page itself names: scripts, styles and preloads.
  const named = [...page.matchAll(/(?:src|href)="\/([^"]+\.(?:js|css))"/g)].map(
    ([, name = '']) => name,
  )
  const route = (keys: readonly string[]) => {
    const seen = new Set<string>()
    return weigh([...named, ...['index.html', ...keys].flatMap((key) => filesWith(key, seen))])
  }
  const font = /href="\/([^"]+\.woff2)"/.exec(page)?.[1] ?? ''
  const list = readdirSync(join(dist, 'assets')).find((one) => one.startsWith('worker-files-'))
  if (list === undefined) throw new Error('The build has no list of what the worker stores.')
  const listed = readFileSync(join(dist, 'assets', list), 'utf8')
  const precached = [...listed.matchAll(/\burl"?:\s*["']([^"']+)["']/g)].map(([, url = '']) => url)
  return {
    signed_in: route(ROUTES.signed_in),
    auth: route(ROUTES.auth),
    until_idle: new Map([...route(ROUTES.until_idle), ...weigh(['index.html', font])]),
    precache: weigh(precached),
  }
}

function weight(file: string): number {
  const bytes = readFileSync(file)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11 }
  return (COMPRESSED.test(file) ? brotliCompressSync(bytes, { params }) : bytes).length / 1_000
}

export const total = (files: ReadonlyMap<string, number>): number =>
  [...files.values()].reduce((sum, one) => sum + one, 0)

export async function bytes({ folder }: Place): Promise<Scenario> {
  const files = filesOf(await builtApp(folder))
  const goal = { at: 'most', ratio: 1 } as const
  return {
    exact: true,
    measures: {
      'bytes of the first signed-in route': { unit: 'kB', goal },
      'bytes of the auth route': { unit: 'kB', goal },
      'bytes until idle': { unit: 'kB', goal },
      'bytes of the precache': { unit: 'kB', goal },
    },
    sample: async (side) => {
      const of = (name: keyof typeof BUDGETS) =>
        side === 'ours' ? total(files[name]) : BUDGETS[name]
      return {
        'bytes of the first signed-in route': of('signed_in'),
        'bytes of the auth route': of('auth'),
        'bytes until idle': side === 'ours' ? total(files.until_idle) : UNTIL_IDLE_GOAL,
        'bytes of the precache': of('precache'),
      }
    },
  }
}
