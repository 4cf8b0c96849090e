// The mutation operators: which small changes each node of a syntax tree allows.
import type { ESTree } from 'vite'

type Node = ESTree.Node

export type Operator =
  | 'await'
  | 'clause'
  | 'comparison'
  | 'condition false'
  | 'condition true'
  | 'constant'
  | 'header'
  | 'lock'
  | 'logic'
  | 'order'
  | 'statement'

/** A replacement of the source text between two offsets. */
export interface Change {
  operator: Operator
  start: number
  end: number
  replacement: string
}

/** What each comparison becomes; and a difference. */
const COMPARISONS: Record<string, string> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '-': '+',
}
/** Methods whose call can be cut out of a chain; what is left has the same type or nearly so. */
const CLAUSES = [
  'where',
  'limit',
  'orderBy',
  'forUpdate',
  'forNoKeyUpdate',
  '$if',
  'onConflict',
  'filter',
  'toSorted',
  'slice',
  'catch',
]
const HEADER =
  /^(if-match|idempotency-key|authorization|retry-after|etag|location|content-type|cache-control|accept|x-[a-z-]+)$/i
/** Statuses and counts; one more millisecond or byte is no fault. */
const MAX_CONSTANT = 600

/** The changes that `node` itself allows, without those of its children. */
export function changesOf(node: Node, parent: Node | null, code: string): Change[] {
  const text = (part: { start: number; end: number }) => code.slice(part.start, part.end)
  const replace = (operator: Operator, replacement: string, part: Node = node): Change => ({
    operator,
    start: part.start,
    end: part.end,
    replacement,
  })
  switch (node.type) {
    case 'IfStatement':
    case 'ConditionalExpression':
      return [
        replace('condition true', 'true', node.test),
        replace('condition false', 'false', node.test),
      ]
    case 'LogicalExpression':
      return logicChange(node, text(node.left), text(node.right)).map((replacement) =>
        replace('logic', replacement),
      )
    case 'BinaryExpression':
      return binaryChange(node.operator, text(node.left), text(node.right)).map((replacement) =>
        replace('comparison', replacement),
      )
    case 'UnaryExpression':
      return node.operator === '!' ? [replace('logic', `(${text(node.argument)})`)] : []
    case 'Literal':
      return literalChange(node, parent).map(([operator, replacement]) =>
        replace(operator, replacement),
      )
    case 'Identifier':
      return isHeaderKey(node, parent) ? [replace('header', "'x-mutant'")] : []
    case 'CallExpression':
      return callChange(node, text)
    case 'ExpressionStatement':
      return statementChanges(node, text)
    case 'ThrowStatement':
    case 'ContinueStatement':
      return [replace('statement', ';')]
    case 'ReturnStatement':
      return node.argument ? [] : [replace('statement', ';')]
    case 'BlockStatement':
    case 'Program':
      return swaps(node.body as readonly Node[], text)
    default:
      return []
  }
}

/** An empty default is mostly there for the compiler, which trusts no index. */
function logicChange(node: ESTree.LogicalExpression, left: string, right: string): string[] {
  if (node.operator === '??') return /^(''|\[\]|\{\})$/.test(right) ? [] : [`(${left})`]
  return [`(${left} ${node.operator === '&&' ? '||' : '&&'} ${right})`]
}

function binaryChange(operator: string, left: string, right: string): string[] {
  if (operator === '+') return /['"`]/.test(left + right) ? [] : [`${left} - ${right}`]
  const other = COMPARISONS[operator]
  return other === undefined ? [] : [`${left} ${other} ${right}`]
}

function literalChange(node: Node, parent: Node | null): [Operator, string][] {
  const { value } = node as { value?: unknown }
  if (typeof value === 'boolean') return [['constant', String(!value)]]
  if (typeof value === 'number')
    return Number.isInteger(value) && value <= MAX_CONSTANT ? [['constant', String(value + 1)]] : []
  const isHeader =
    typeof value === 'string' &&
    HEADER.test(value) &&
    (parent?.type === 'Property' || parent?.type === 'CallExpression')
  return isHeader ? [['header', "'x-mutant'"]] : []
}

/** A header written as a key without quotes, such as `Authorization`; a capital tells it from a field. */
const isHeaderKey = (node: Node, parent: Node | null): boolean => {
  if (parent?.type !== 'Property' || parent.key !== node || parent.shorthand) return false
  const { name } = node as { name?: unknown }
  return typeof name === 'string' && /^[A-Z]/.test(name) && HEADER.test(name)
}

function callChange(node: ESTree.CallExpression, text: (part: Node) => string): Change[] {
  const { callee, end } = node
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return []
  const { name } = callee.property
  const [first] = node.arguments
  if (name === 'withLock' && first)
    // A lock of its own for each call is no lock.
    return [
      {
        operator: 'lock',
        start: first.start,
        end: first.end,
        replacement: `${text(first)} + Math.random()`,
      },
    ]
  if (!CLAUSES.includes(name)) return []
  return [{ operator: 'clause', start: callee.object.end, end, replacement: '' }]
}

function statementChanges(
  node: ESTree.Node & { type: 'ExpressionStatement' },
  text: (part: Node) => string,
): Change[] {
  const { expression, start, end } = node
  if (expression.type === 'Literal' || isLogged(expression, text)) return []
  if (expression.type === 'CallExpression' && expression.callee.type === 'Super') return []
  const removed: Change = { operator: 'statement', start, end, replacement: ';' }
  if (expression.type !== 'AwaitExpression') return [removed]
  const replacement = `void (${text(expression.argument)})`
  return [removed, { operator: 'await', start, end, replacement }]
}

/** Whether a call only logs: what it says is not tested. */
const isLogged = (node: Node, text: (part: Node) => string): boolean =>
  node.type === 'CallExpression' && /^(log|console)\b/.test(text(node.callee))

/** Neighbouring statements that can be swapped without a name being used before its declaration. */
function swaps(body: readonly Node[], text: (part: Node) => string): Change[] {
  return body.slice(1).flatMap((second, index) => {
    const first = body[index]
    if (first?.type !== 'ExpressionStatement' || second.type !== 'ExpressionStatement') return []
    if (isLogged(first.expression, text) || isLogged(second.expression, text)) return []
    const replacement = `${text(second)}\n;${text(first)}`
    return [{ operator: 'order', start: first.start, end: second.end, replacement }]
  })
}
