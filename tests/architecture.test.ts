// The floors of the house: who may lean on whom. Read from the imports themselves.
import { readFileSync, globSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const sources = globSync('{contract,src,sw,server}/**/*.{ts,tsx}', { cwd: root }).filter(
  (file) => !file.endsWith('.d.ts'),
)

/** Each import of a file: relative ones as paths from the root, packages by their name. */
const importsOf = (file: string): string[] =>
  [
    ...readFileSync(join(root, file), 'utf8').matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g),
  ].map(([, target = '']) =>
    target.startsWith('.') ? normalize(join(dirname(file), target)) : target,
  )

const floorOf = (path: string): string | undefined =>
  /^(contract|sw|server)\//.exec(path)?.[1] ??
  /^src\/(sync|ui|data|widgets|features|app)\//.exec(path)?.[1] ??
  (path.startsWith('src/') ? 'top' : undefined)

/** What each floor may import, beside itself. */
const BELOW: Record<string, readonly string[]> = {
  contract: [],
  ui: ['contract'],
  sync: [],
  data: ['sync', 'ui', 'contract'],
  widgets: ['data', 'sync', 'ui', 'contract'],
  features: ['widgets', 'data', 'sync', 'ui', 'contract'],
  app: ['features', 'widgets', 'data', 'sync', 'ui', 'contract'],
  top: ['app', 'features', 'widgets', 'data', 'sync', 'ui', 'contract'],
  sw: ['sync', 'contract'],
  server: ['contract'],
}

/** Types alone, which the endpoint table and the engine share. */
const SHARED_TYPES = 'contract/offline.ts'

test('no layer imports from one above it', () => {
  const wrong = sources.flatMap((file) => {
    const floor = floorOf(file) ?? ''
    return importsOf(file)
      .filter((target) => {
        const other = floorOf(target)
        return (
          other !== undefined &&
          other !== floor &&
          target !== SHARED_TYPES &&
          !BELOW[floor]?.includes(other)
        )
      })
      .map(
        (target) =>
          `${file} imports ${target}: ${floor} may lean on ${BELOW[floor]?.join(', ') || 'nothing'}`,
      )
  })
  expect(wrong).toEqual([])
})

test('the engine names no product noun', () => {
  const nouns = /success.?plan|account(?!able)|initiative|template_id/i
  const wrong = sources
    .filter((file) => floorOf(file) === 'sync')
    .flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .filter((line) => nouns.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    )
  expect(wrong).toEqual([])
})

/** The part of the engine that also runs without a page. */
const CORE = sources.filter((file) => file.startsWith('src/sync/core/'))

test('the engine reaches its environment through ports only', () => {
  const global =
    /\b(navigator|document|window|localStorage|indexedDB|fetch\(|setTimeout|Date\.now|Math\.random)\b/
  const wrong = CORE.flatMap((file) => {
    const code = readFileSync(join(root, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
    return [
      ...importsOf(file)
        .filter((target) => floorOf(target) === undefined)
        .map((target) => `${file} imports ${target}`),
      ...code
        .split('\n')
        .filter((line) => global.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    ]
  })
  expect(wrong).toEqual([])
})

/** Folders of a floor that import each other in a circle, each as the list of its members. */
function circles(floor: string): string[][] {
  const folderOf = (path: string) => new RegExp(`^${floor}/([^/]+)/`).exec(path)?.[1]
  const edges = new Map<string, Set<string>>()
  for (const file of sources) {
    const from = folderOf(file)
    if (from === undefined) continue
    const targets = edges.get(from) ?? new Set()
    for (const target of importsOf(file).map(folderOf))
      if (target !== undefined && target !== from) targets.add(target)
    edges.set(from, targets)
  }
  const reachable = (from: string, seen = new Set<string>()): Set<string> => {
    for (const next of edges.get(from) ?? []) if (!seen.has(next)) reachable(next, seen.add(next))
    return seen
  }
  return [...edges.keys()]
    .filter((folder) => reachable(folder).has(folder))
    .map((folder) => [folder, ...(edges.get(folder) ?? [])])
}

test('features do not import each other in a circle', () => {
  expect(circles('src/features')).toEqual([])
})

test('folder names are specific, and no file exceeds 300 lines', () => {
  const meaningless = sources.filter((file) =>
    /\/(utils?|helpers?|common|misc|lib|hooks|types)(\/|\.tsx?$)/.test(file),
  )
  const long = sources.filter(
    (file) => readFileSync(join(root, file), 'utf8').split('\n').length > 301,
  )
  expect({ meaningless, long }).toEqual({ meaningless: [], long: [] })
})

test('there is one query core', () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, unknown>
  }
  const installed = Object.keys(packages).filter((path) =>
    path.endsWith('node_modules/@tanstack/query-core'),
  )
  expect(installed).toHaveLength(1)
})
