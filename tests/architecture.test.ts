// A file imports from a layer above its own, a layer has no rule, or a level of the tree is too crowded to read.
// Layers are read from the folders, so a new folder without a rule fails. Or the index of documents is behind.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'
import { LONG } from './longest-first.ts'

const root = join(import.meta.dirname, '..')
const files = globSync('{contract,conform,src,sw,server}/**/*.*', { cwd: root })
const sources = files.filter((file) => /(?<!\.d)\.tsx?$/.test(file))
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const codeOf = (file: string) => read(file).replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')

interface Import {
  /** The path from the root of the tree, or the name of a package. */
  target: string
  /** Erased by the compiler: no code of the target is loaded. */
  isType: boolean
  isDynamic: boolean
}

const IMPORT =
  /\b(?:import|export)\s+(?:(type)\s)?(?:[\w*{][^;'"()]*?\sfrom\s*)?'([^']+)'|\b(import)\(\s*'([^']+)'/g

const importsOf = (file: string): Import[] =>
  [...codeOf(file).matchAll(IMPORT)].map(([, type, name, call, called = '']) => {
    const specifier = name ?? called
    return {
      target: specifier.startsWith('.') ? normalize(join(dirname(file), specifier)) : specifier,
      isType: type !== undefined,
      isDynamic: call !== undefined,
    }
  })
const imports = new Map(sources.map((file) => [file, importsOf(file)]))

const SYNC = ['src/sync/react', 'src/sync', 'src/sync/browser', 'src/sync/core']

/** What each layer may import besides itself. A file belongs to the layer with the longest path. */
const ALLOWED_IMPORTS: Record<string, readonly string[]> = {
  contract: [],
  conform: ['contract'],
  'src/ui': ['contract'],
  'src/sync/core': ['contract'],
  'src/sync/browser': ['src/sync/core', 'contract'],
  'src/sync': ['src/sync/browser', 'src/sync/core', 'contract'],
  'src/sync/react': ['src/sync', 'src/sync/browser', 'src/sync/core', 'contract'],
  'src/data': [...SYNC, 'src/ui', 'contract'],
  'src/widgets': ['src/data', ...SYNC, 'src/ui', 'contract'],
  'src/features': ['src/widgets', 'src/data', ...SYNC, 'src/ui', 'contract'],
  'src/app': ['src/features', 'src/widgets', 'src/data', ...SYNC, 'src/ui', 'contract'],
  src: ['src/app', 'src/features', 'src/widgets', 'src/data', ...SYNC, 'src/ui', 'contract'],
  sw: ['src/sync/core', 'src/sync/browser', 'contract'],
}

/** The layers of the server, lowest first. Each may import those below it, and `contract`. */
const SERVER_LAYERS = [
  ['errors', 'log.ts', 'hash.ts'],
  ['configuration'],
  ['database'],
  ['auth'],
  ['integrations'],
  ['domain'],
  ['jobs'],
  ['http'],
  ['routes', 'demo', 'ops'],
  ['app.ts'],
  ['main.ts', 'front-end.ts'],
  ['start.ts', 'dev.ts'],
]
SERVER_LAYERS.forEach((layer, height) => {
  const below = SERVER_LAYERS.slice(0, height).flat()
  for (const name of layer)
    ALLOWED_IMPORTS[`server/${name}`] = ['contract', ...below.map((other) => `server/${other}`)]
})

/** Where each file stands; undefined for a package. A folder without a rule is a layer of its own. */
function layerOf(path: string): string | undefined {
  if (!/^(contract|conform|src|sw|server)\//.test(path)) return undefined
  const parts = path.split('/')
  for (let length = parts.length; length > 0; length -= 1) {
    const layer = parts.slice(0, length).join('/')
    if (layer !== 'src' && layer in ALLOWED_IMPORTS) return layer
  }
  return parts.length === 2 ? parts[0] : parts.slice(0, 2).join('/')
}

test('each folder has a rule', () => {
  expect(
    [...new Set(sources.map(layerOf))].filter((layer) => !layer || !(layer in ALLOWED_IMPORTS)),
  ).toEqual([])
})

test('no file imports from a layer above its own', () => {
  const wrong = sources.flatMap((file) => {
    const layer = layerOf(file) ?? ''
    const allowed = ALLOWED_IMPORTS[layer] ?? []
    return (imports.get(file) ?? [])
      .map(({ target }) => ({ target, other: layerOf(target) }))
      .filter(({ other }) => other !== undefined && other !== layer && !allowed.includes(other))
      .map(({ target }) => `${file} imports ${target}`)
  })
  expect(wrong).toEqual([])
})

/** Folders in `parent` that import each other in a circle. */
function circles(parent: string): string[] {
  const folderOf = (path: string) =>
    path.startsWith(`${parent}/`) ? path.slice(parent.length + 1).split('/')[0] : undefined
  const edges = new Map<string, Set<string>>()
  for (const [file, targets] of imports) {
    const from = folderOf(file)
    if (from === undefined) continue
    const others = edges.get(from) ?? new Set()
    for (const { target } of targets) {
      const to = folderOf(target)
      if (to !== undefined && to !== from) others.add(to)
    }
    edges.set(from, others)
  }
  const reach = (from: string, seen = new Set<string>()): Set<string> => {
    for (const next of edges.get(from) ?? []) if (!seen.has(next)) reach(next, seen.add(next))
    return seen
  }
  return [...edges.keys()].filter((folder) => reach(folder).has(folder))
}

test.each(['src/features', 'src/widgets', 'src/data'])(
  'the folders of %s do not import each other in a circle',
  (parent) => {
    expect(circles(parent)).toEqual([])
  },
)

/** Small files of the engine that screens may load; all else of it is behind the client. */
const OPEN_TO_SCREENS = [
  'src/sync/core/operation.ts',
  'src/sync/core/ports.ts',
  'src/sync/core/observable.ts',
  'src/sync/core/conflicts/shown-version.ts',
  'src/sync/browser/new-id.ts',
  'src/sync/browser/stored-config.ts',
]

test('screens reach the engine through its client, its React part and its types', () => {
  const wrong = sources.flatMap((file) => {
    if (!/^src\/(data|widgets|features|app|main)/.test(file)) return []
    return (imports.get(file) ?? [])
      .filter(({ target, isType }) => /^src\/sync\/(core|browser)\//.test(target) && !isType)
      .filter(({ target }) => !OPEN_TO_SCREENS.includes(target))
      .filter(
        ({ target }) =>
          !(file.startsWith('src/app/boot/') && target === 'src/sync/browser/start-engine.ts'),
      )
      .map(({ target }) => `${file} imports ${target}`)
  })
  expect(wrong).toEqual([])
})

test('the engine names no noun of the product', () => {
  const nouns = /success.?plan|account(?!able)|initiative|template_id/i
  const wrong = sources
    .filter((file) => file.startsWith('src/sync/'))
    .flatMap((file) =>
      read(file)
        .split('\n')
        .filter((line) => nouns.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    )
  expect(wrong).toEqual([])
})

test('the app checks no id by its form: other servers have other ids', () => {
  const strict = /import \{[^}]*\bvalidate\b[^}]*\} from '[^']*contract\/errors\.ts'/
  expect(sources.filter((file) => file.startsWith('src/') && strict.test(read(file)))).toEqual([])
})

test('the core of the engine reaches its environment through ports only', () => {
  const global =
    /\b(navigator|document|window|globalThis|self|localStorage|sessionStorage|indexedDB|caches|fetch\(|setTimeout|setInterval|Date\.now|new Date\(\)|performance|Math\.random|crypto)\b/
  const wrong: string[] = []
  for (const file of sources) {
    if (!file.startsWith('src/sync/core/')) continue
    for (const { target } of imports.get(file) ?? [])
      if (layerOf(target) === undefined) wrong.push(`${file} imports ${target}`)
    for (const line of codeOf(file).split('\n'))
      if (global.test(line)) wrong.push(`${file}: ${line.trim()}`)
  }
  expect(wrong).toEqual([])
})

test('folder names are specific, and no file exceeds 300 lines', () => {
  const vague = /\/(utils?|helpers?|common|misc|lib|hooks|types)(\/|\.tsx?$)/
  expect({
    vague: sources.filter((file) => vague.test(file)),
    long: sources.filter((file) => read(file).split('\n').length > 301),
  }).toEqual({ vague: [], long: [] })
})

test('no level of the tree has more than 20 names', () => {
  const levels = new Map<string, Set<string>>()
  for (const file of files) {
    const parts = file.split('/')
    parts.slice(1).forEach((name, depth) => {
      const level = parts.slice(0, depth + 1).join('/')
      levels.set(level, (levels.get(level) ?? new Set()).add(name))
    })
  }
  const crowded = [...levels].filter(([, names]) => names.size > 20)
  expect(crowded.map(([level, names]) => `${level}: ${names.size}`)).toEqual([])
})

test('the index of the decision records has each with its status, and the changelog has a section for what is not released', () => {
  const folder = 'docs/decisions'
  const rows = globSync('[0-9]*.md', { cwd: join(root, folder) }).map((name) => {
    const head = /^# (\d+) (.+)\n\n- \*\*Date:\*\* (\d{4}-\d\d-\d\d).*\n- \*\*Status:\*\* (.+)$/m
    const [, number, title, date, status] = head.exec(read(`${folder}/${name}`)) ?? []
    return `| ${number} | [${title}](${name}) | ${status} | ${date} |`
  })
  const listed = read(`${folder}/README.md`).match(/^\| \d+ \|.*$/gm)
  expect(listed?.toSorted()).toEqual(rows.toSorted())
  expect(read('CHANGELOG.md')).toContain('\n## [Unreleased]\n')
})

test('each decision record has a context and a decision, in at most 1,000 words', () => {
  const records = globSync('docs/decisions/[0-9]*.md', { cwd: root })
  const wrong = records.filter((name) => {
    const text = read(name)
    const isLong = text.split(/\s+/).length > 1_000
    return isLong || !/^## Context\n[^]*^## Decision\n/m.test(text)
  })
  expect(wrong).toEqual([])
})

test('the first entry of the changelog, which the prompt of an update shows, is short and for users', () => {
  const entry = read('CHANGELOG.md').match(/^- (.+)$/m)?.[1] ?? ''
  expect(entry).toMatch(/^[A-Z].+\.$/)
  expect(entry.length).toBeLessThanOrEqual(200)
  // Markup, links, settings such as `API_URL`, and what only operators and developers deal with.
  const ofOperators =
    /[*`[\]<>_]|\b(?:[A-Z]{3,}|[45]\d\d|[KM]iB|servers?|databases?|endpoints?|headers?|tests?)\b/
  expect(ofOperators.exec(entry)?.[0]).toBeUndefined()
})

test('the version is that of the newest release in the changelog, or a later one', () => {
  const versionOf = (file: string) => (JSON.parse(read(file)) as { version: string }).version
  const version = versionOf('package.json')
  expect(versionOf('package-lock.json')).toBe(version)
  expect(read('docs/deploy.md')).toContain(`cairn-${version}.tar.gz`)
  const titles = [...read('CHANGELOG.md').matchAll(/^## \[(.+)\](?: – \d{4}-\d\d-\d\d)?$/gm)]
  const [unreleased, ...released] = titles.map(([, title = '']) => title)
  expect(unreleased).toBe('Unreleased')
  const byAge = (a: string, b: string) => b.localeCompare(a, 'en', { numeric: true })
  expect(released.toSorted(byAge)).toEqual(released)
  expect([version, ...released].toSorted(byAge)[0]).toBe(version)
})

test('the test files that are started first are there under their names', () => {
  const tests = globSync('tests/**/*.test.ts', { cwd: root })
  expect(LONG.filter((name) => !tests.some((file) => file.endsWith(name)))).toEqual([])
})

test('tests wait half a minute, and not the second that is the default', () => {
  const allowed = [
    'tests/wait-for.ts',
    'tests/sync/engine-fixture.ts',
    'tests/architecture.test.ts',
  ]
  const bare = globSync('tests/**/*.{ts,tsx}', { cwd: root }).filter((file) =>
    read(file).includes('vi.waitFor('),
  )
  expect(bare.filter((file) => !allowed.includes(file))).toEqual([])
})

test('there is one query core: two would make types and singletons disagree', () => {
  const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, object> }
  expect(
    Object.keys(lock.packages).filter((name) => name.endsWith('/@tanstack/query-core')),
  ).toHaveLength(1)
})

test('each realm has its own compiler settings', () => {
  for (const realm of [
    'contract',
    'conform',
    'src',
    'src/sync/core',
    'sw',
    'server',
    'tests',
    'bench',
  ])
    expect(existsSync(join(root, realm, 'tsconfig.json')), realm).toBe(true)
})
