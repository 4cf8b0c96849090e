// All mutants of one source file, and its functions. Reads the syntax tree of Vite's own parser.
import { parseSync, type ESTree } from 'vite'
import { changesOf, type Operator } from './operators.ts'

type Node = ESTree.Node

/** One small change of one source file. */
export interface Mutant {
  /**
   * File, function, operator and source text; the same in the next commit unless that code changes. A
   * number tells equal texts of one function apart.
   */
  key: string
  /** The path from the root of the repository. */
  file: string
  operator: Operator
  /** What is replaced: UTF-16 offsets in the source text. */
  start: number
  end: number
  replacement: string
  /** The innermost function around it, as an index into `functions`; -1 outside of any. */
  functionIndex: number
}

/** Where a function's body begins and ends. */
interface FunctionBody {
  isBlock: boolean
  start: number
  end: number
}

export interface SourceMutants {
  mutants: Mutant[]
  functions: FunctionBody[]
}

interface Place {
  names: readonly string[]
  functionIndex: number
}

const MAX_SOURCE_LENGTH = 100
const FUNCTIONS = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']
/** Wrappers that hold an expression; all other nodes of TypeScript hold types only. */
const TYPED_EXPRESSIONS = ['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression']

/** The mutants of `code`, in source order. Throws where `code` is not valid TypeScript. */
export function listMutants(file: string, code: string): SourceMutants {
  const { program, errors } = parseSync(file, code)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  const functions: FunctionBody[] = []
  const mutants: Mutant[] = []
  const counts = new Map<string, number>()

  const visit = (node: Node, parent: Node | null, place: Place): void => {
    if (isSkipped(node)) return
    const inner = placeOf(node, parent, place, functions)
    for (const change of changesOf(node, parent, code)) {
      const source = code.slice(change.start, change.end).replaceAll(/\s+/g, ' ').trim()
      const within = inner.names.join('.') || 'module'
      const base = `${file}#${within} ${change.operator}: ${source.slice(0, MAX_SOURCE_LENGTH)}`
      const count = (counts.get(base) ?? 0) + 1
      counts.set(base, count)
      const key = count === 1 ? base : `${base} [${count}]`
      mutants.push({ ...change, key, file, functionIndex: inner.functionIndex })
    }
    for (const child of childrenOf(node)) visit(child, node, inner)
  }
  visit(program, null, { names: [], functionIndex: -1 })
  return { mutants, functions }
}

/** The text with the mutant planted. */
export const plant = (code: string, { start, end, replacement }: Mutant): string =>
  code.slice(0, start) + replacement + code.slice(end)

/**
 * The text with a call at the start of each function that notes `idOf(index)` in a set, which the tests'
 * setup file reads (see record-hits.ts).
 */
export function instrument(
  code: string,
  functions: readonly FunctionBody[],
  idOf: (index: number) => string,
): string {
  const insertions = functions.flatMap(({ isBlock, start, end }, index) => {
    const hit = `globalThis.cairnHits?.add(${JSON.stringify(idOf(index))})`
    return isBlock
      ? [{ at: start + 1, text: `${hit};`, order: index }]
      : [
          { at: start, text: `(${hit}, `, order: index },
          { at: end, text: ')', order: -index },
        ]
  })
  // From the end, so that offsets stay true; at one offset the outer parenthesis is inserted first.
  const sorted = insertions.toSorted((a, b) => b.at - a.at || b.order - a.order)
  return sorted.reduce(
    (text, { at, text: added }) => text.slice(0, at) + added + text.slice(at),
    code,
  )
}

/** Types and imports. */
const isSkipped = (node: Node): boolean =>
  node.type === 'ImportDeclaration' ||
  (node.type.startsWith('TS') && !TYPED_EXPRESSIONS.includes(node.type))

function childrenOf(node: Node): Node[] {
  const isNode = (value: unknown): value is Node =>
    typeof value === 'object' && value !== null && 'type' in value && 'start' in value
  return Object.values(node).flat().filter(isNode)
}

function placeOf(node: Node, parent: Node | null, place: Place, functions: FunctionBody[]): Place {
  const name = nameOf(node, parent)
  const names = name === undefined ? place.names : [...place.names, name]
  if (!FUNCTIONS.includes(node.type) || !('body' in node)) return { ...place, names }
  const body = node.body as Node | null
  if (!body) return { ...place, names }
  const isBlock = body.type === 'BlockStatement'
  functions.push({ isBlock, start: body.start, end: body.end })
  return { names, functionIndex: functions.length - 1 }
}

/** The name that a class, a function, a method or a variable with a function adds to the path. */
function nameOf(node: Node, parent: Node | null): string | undefined {
  if (node.type === 'ClassDeclaration' || node.type === 'FunctionDeclaration') return node.id?.name
  if (!FUNCTIONS.includes(node.type)) return undefined
  if (parent?.type === 'VariableDeclarator' && parent.id.type === 'Identifier')
    return parent.id.name
  if (parent?.type !== 'MethodDefinition' && parent?.type !== 'Property') return undefined
  return parent.key.type === 'Identifier' || parent.key.type === 'PrivateIdentifier'
    ? parent.key.name
    : undefined
}
