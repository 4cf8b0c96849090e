// Which modules are in which chunk of the built app: what a start loads is in few files, and apart from what
// waits until a screen is opened.
import { resolve } from 'node:path'
import type { Rolldown } from 'vite'

const from = (...files: string[]) => files.map((file) => resolve('src', file))

/** What a start loads before and after its first paint. */
const ROOTS = {
  main: from('main.tsx'),
  signIn: from('app/shell/layout-empty.tsx', 'features/session/sign-in-screen.tsx'),
  list: from(
    'app/shell/layout-default.tsx',
    'features/success-plans/list/list-screen.tsx',
    'features/success-plans/list/list-results.tsx',
  ),
  /** What a window with room for a table loads in place of the list, and what is above it and in its cells. */
  table: from('features/success-plans/list/table/table-results.tsx'),
  tools: from(
    'features/success-plans/list/table/plan-tools.tsx',
    'features/success-plans/bulk/bulk-actions.tsx',
    'features/success-plans/bulk/inline-editor.tsx',
  ),
  engine: from('app/boot/start-app.ts', 'app/telemetry/telemetry.tsx'),
  /** The rest of the signed-in frame, and of the list. */
  frame: from(
    'app/shell/user-menu.tsx',
    'features/away/presence.tsx',
    'features/success-plans/list/later-parts.ts',
  ),
}

/** Which of ROOTS import that module, directly or through others. */
function neededBy(
  id: string,
  build: Rolldown.ChunkingContext,
): Record<keyof typeof ROOTS, boolean> {
  const isNeeded = (roots: readonly string[]) => {
    const needed = new Set<string>()
    const add = (one: string) => {
      if (needed.has(one)) return
      needed.add(one)
      build.getModuleInfo(one)?.importedIds.forEach(add)
    }
    roots.forEach(add)
    return needed.has(id)
  }
  const entries = Object.entries(ROOTS).map(([name, roots]) => [name, isNeeded(roots)])
  return Object.fromEntries(entries) as Record<keyof typeof ROOTS, boolean>
}

/**
 * The chunk of a module of a start. For the first paint: `start` for every one, or that of signed-in or of
 * signed-out users. Null for the engine, and for modules that no start needs.
 */
function startChunk(id: string, build: Rolldown.ChunkingContext): string | null {
  // The entry has its own chunk, which all others may import.
  if (ROOTS.main.includes(id)) return null
  const { main, list, signIn, table, engine, frame, tools } = neededBy(id, build)
  if (main || (list && signIn)) return 'start'
  if (list) return 'list'
  // Apart where the frame needs it, so that the rest is not loaded with the frame.
  if (signIn || table) return `${signIn ? 'sign-in' : 'table'}${frame ? '-parts' : ''}`
  return engine ? null : frame ? 'frame' : tools ? 'tools' : null
}

/** Ids made from names, which only imports do. */
const NAMED_IDS = /\/uuid\/dist\/(v5|v35|sha1|parse)\.js$/

/** The chunk of what is loaded with the engine. */
const engineChunk = (id: string, build: Rolldown.ChunkingContext): string | null =>
  neededBy(id, build).engine && !NAMED_IDS.test(id) ? 'engine' : null

/** The chunk of that name for what is not loaded with the engine. */
const unlessStarted =
  (name: string) =>
  (id: string, build: Rolldown.ChunkingContext): string | null =>
    neededBy(id, build).engine ? null : name

/**
 * The chunk of that name for these files, with the icons that no others use: else the chunk would need that of one of
 * its screens.
 */
const withIcons =
  (name: string, files: RegExp) =>
  (id: string, build: Rolldown.ChunkingContext): string | null => {
    const isOne = (file: string) => files.test(file)
    const isIcon = () => build.getModuleInfo(id)?.importers.every(isOne) === true
    return isOne(id) || (id.includes('/lucide-react/') && isIcon())
      ? unlessStarted(name)(id, build)
      : null
  }

/** Modules used by at least this many of the entry and the lazy screens. */
const SHARED = { minShareCount: 3, includeDependenciesRecursively: false }

/** The groups of chunks; a module is in the first one that takes it. */
export const GROUPS: Rolldown.CodeSplittingGroup[] = [
  // Modules that rarely change have their own chunks, so that an update downloads little.
  { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
  { name: 'router', test: /node_modules\/(react-router|cookie|set-cookie-parser)\// },
  { name: 'reads', test: /node_modules\/@tanstack\/(react-query|query-core)\// },
  // The modules of a start in few files instead of fifty, and nothing else.
  { name: startChunk, minShareCount: 1, includeDependenciesRecursively: false },
  // Lists as files, in and out: small modules, which weigh less together.
  {
    name: 'list-files',
    test: /\/src\/features\/((archive|import|export)\/|.*-csv\.ts$)/,
    minShareCount: 1,
    includeDependenciesRecursively: false,
  },
  // The screens of the settings likewise, and the dialogs on records.
  {
    name: withIcons(
      'profile',
      /\/src\/(features\/profile\/(?!profile-screen)|app\/(shell\/layout-settings|device\/))/,
    ),
    minShareCount: 1,
    includeDependenciesRecursively: false,
  },
  {
    name: withIcons(
      'organisation',
      /\/src\/features\/(billing|members|organisations\/(delete|general))/,
    ),
    minShareCount: 1,
    includeDependenciesRecursively: false,
  },
  {
    name: unlessStarted('dialogs'),
    test: /\/src\/(features|widgets)\/.*(-dialog\.tsx|\/(action-fields|initiative-fields|outcome-fields|find-contact)\.ts)$/,
    minShareCount: 1,
    includeDependenciesRecursively: false,
  },
  // The tables of other records likewise.
  {
    name: unlessStarted('tables'),
    test: /\/src\/(widgets\/table\/|ui\/list\/bulk\/phone|app\/navigation\/renewals|features\/(accounts|initiatives|renewals)\/([\w-]*(list|screen|table|results|filters|groupings|group|view|context|menu)|renewals)\.ts)/,
    minShareCount: 1,
    includeDependenciesRecursively: false,
  },
  // What is on the page of a plan, and of an account.
  {
    name: withIcons(
      'record',
      /\/src\/features\/((success-plans\/(detail|updates|form|share-target)|accounts\/(detail|form))\/|renewals\/renewal-history|home\/(messages|need-(rows|section))|away\/(use-)?away-changes)|\/figtree-.*\?url$/,
    ),
    minShareCount: 1,
    includeDependenciesRecursively: false,
  },
  // What is done with many of them likewise.
  {
    name: unlessStarted('bulk'),
    test: /\/src\/features\/(accounts|initiatives)\/bulk\//,
    minShareCount: 1,
    includeDependenciesRecursively: false,
  },
  // What is opened from the form of the sign-in likewise, and templates.
  {
    name: unlessStarted('access'),
    test: /\/src\/features\/session\/(bot-check|new-password|forgotten-password|link-facts|registration|social\/|passkeys\/)/,
    minShareCount: 1,
    includeDependenciesRecursively: false,
  },
  {
    name: unlessStarted('templates'),
    test: /\/src\/features\/templates\//,
    minShareCount: 1,
    includeDependenciesRecursively: false,
  },
  // What opens above any screen likewise, and the first screens.
  {
    name: withIcons(
      'sheets',
      /\/src\/(app\/(sync-centre|keys|palette|shell\/(signed-in|not-found|organisation-switched))|features\/installing\/)/,
    ),
    minShareCount: 1,
    includeDependenciesRecursively: false,
  },
  {
    name: withIcons('home', /\/src\/features\/(home|away)\//),
    minShareCount: 1,
    includeDependenciesRecursively: false,
  },
  // Those of two screens weigh less together.
  { name: 'icons', test: /\/lucide-react\//, ...SHARED, minShareCount: 2 },
  {
    name: engineChunk,
    test: /\/(src|contract|node_modules)\/|package\.json$/,
    minShareCount: 1,
    includeDependenciesRecursively: false,
  },
  // Modules that several other screens use.
  { name: 'shared', test: /\/(src|contract|node_modules)\//, ...SHARED },
]
