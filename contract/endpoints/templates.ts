// Endpoints for plan templates. They change rarely, so writing needs a network.
import * as v from 'valibot'
import { endpoint, list, none, one } from '../endpoint.ts'
import { oneOf } from '../schemas/fields.ts'
import { listQuery } from '../list-query.ts'
import { PLAN_TYPES } from '../values.ts'
import { Template, TemplateDraft, TemplateEdit } from '../schemas/templates.ts'

export const templateEndpoints = {
  listTemplates: endpoint({
    resource: 'templates',
    kind: 'list',
    method: 'GET',
    path: '/api/v1/templates',
    query: listQuery(['title', 'created_at', 'updated_at'], {
      title: v.optional(v.string()),
      type: v.optional(oneOf(PLAN_TYPES)),
    }),
    answer: list(Template),
    who: 'member',
    offline: 'read',
  }),
  getTemplate: endpoint({
    resource: 'templates',
    kind: 'get',
    method: 'GET',
    path: '/api/v1/templates/{id}',
    answer: one(Template),
    who: 'member',
    offline: 'read',
  }),
  createTemplate: endpoint({
    resource: 'templates',
    kind: 'create',
    method: 'POST',
    path: '/api/v1/templates',
    body: TemplateDraft,
    answer: one(Template),
    status: 201,
    who: 'manager',
    offline: 'online',
  }),
  updateTemplate: endpoint({
    resource: 'templates',
    kind: 'update',
    method: 'PUT',
    path: '/api/v1/templates/{id}',
    body: TemplateEdit,
    answer: one(Template),
    who: 'manager',
    offline: 'online',
  }),
  deleteTemplate: endpoint({
    resource: 'templates',
    kind: 'delete',
    method: 'DELETE',
    path: '/api/v1/templates/{id}',
    answer: none,
    status: 204,
    who: 'manager',
    offline: 'online',
  }),
} as const
