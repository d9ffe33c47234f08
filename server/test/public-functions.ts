// The volatile functions of PostgreSQL 18 that every log-in may call in a database in which `server/roles.sql` has run,
// grouped by why they are harmless. A function of a newer version belongs here once it is reviewed, or into
// `server/roles.sql`, which revokes it.

const reviewed = {
  'is refused by PostgreSQL to whoever has no rights on the table, sequence, slot or session, or is no superuser': `
    brin_desummarize_range brin_summarize_new_values brin_summarize_range currtid2 currval gin_clean_pending_list lastval nextval setval
    pg_cancel_backend pg_terminate_backend pg_clear_attribute_stats pg_clear_relation_stats pg_restore_attribute_stats pg_restore_relation_stats
    pg_copy_logical_replication_slot pg_copy_physical_replication_slot pg_create_logical_replication_slot pg_create_physical_replication_slot
    pg_drop_replication_slot pg_logical_slot_get_binary_changes pg_logical_slot_get_changes pg_logical_slot_peek_binary_changes
    pg_logical_slot_peek_changes pg_replication_slot_advance pg_sync_replication_slots pg_extension_config_dump pg_get_sequence_data
    pg_import_system_collations pg_nextoid pg_sequence_last_value pg_stop_making_pinned_objects pg_database_size pg_tablespace_size`,
  'is refused but while a server is upgraded': `
    binary_upgrade_add_sub_rel_state binary_upgrade_create_empty_extension binary_upgrade_logical_slot_has_caught_up binary_upgrade_replorigin_advance
    binary_upgrade_set_missing_value binary_upgrade_set_next_array_pg_type_oid binary_upgrade_set_next_heap_pg_class_oid
    binary_upgrade_set_next_heap_relfilenode binary_upgrade_set_next_index_pg_class_oid binary_upgrade_set_next_index_relfilenode
    binary_upgrade_set_next_multirange_array_pg_type_oid binary_upgrade_set_next_multirange_pg_type_oid binary_upgrade_set_next_pg_authid_oid
    binary_upgrade_set_next_pg_enum_oid binary_upgrade_set_next_pg_tablespace_oid binary_upgrade_set_next_pg_type_oid
    binary_upgrade_set_next_toast_pg_class_oid binary_upgrade_set_next_toast_relfilenode binary_upgrade_set_record_init_privs`,
  'says something of the server and changes nothing': `
    current_query pg_available_wal_summaries pg_blocking_pids pg_collation_actual_version pg_control_checkpoint pg_control_init pg_control_recovery
    pg_control_system pg_current_wal_flush_lsn pg_current_wal_insert_lsn pg_current_wal_lsn pg_database_collation_actual_version
    pg_get_loaded_modules pg_get_multixact_members pg_get_wait_events pg_get_wal_replay_pause_state pg_get_wal_resource_managers
    pg_get_wal_summarizer_state pg_indexes_size pg_is_in_recovery pg_is_wal_replay_paused pg_isolation_test_session_is_blocked pg_jit_available
    pg_last_committed_xact pg_last_wal_receive_lsn pg_last_wal_replay_lsn pg_last_xact_replay_timestamp pg_lock_status
    pg_notification_queue_usage pg_partition_ancestors pg_partition_tree pg_prepared_xact pg_relation_size pg_safe_snapshot_blocking_pids
    pg_stat_get_backend_io pg_stat_get_backend_wal pg_stat_get_io pg_stat_get_recovery_prefetch pg_stat_get_xact_blocks_fetched
    pg_stat_get_xact_blocks_hit pg_stat_get_xact_function_calls pg_stat_get_xact_function_self_time pg_stat_get_xact_function_total_time
    pg_stat_get_xact_numscans pg_stat_get_xact_tuples_deleted pg_stat_get_xact_tuples_fetched pg_stat_get_xact_tuples_hot_updated
    pg_stat_get_xact_tuples_inserted pg_stat_get_xact_tuples_newpage_updated pg_stat_get_xact_tuples_returned pg_stat_get_xact_tuples_updated
    pg_table_size pg_total_relation_size pg_wal_summary_contents pg_xact_commit_timestamp pg_xact_commit_timestamp_origin pg_xact_status txid_status`,
  'works on the own session alone, or computes': `
    amvalidate array_sample array_shuffle clock_timestamp gen_random_uuid pg_sleep pg_sleep_for pg_sleep_until pg_stat_clear_snapshot
    pg_stat_force_next_flush plpgsql_validator random random_normal set_config setseed timeofday uuidv4 uuidv7`,
  'runs a query with the rights of its caller': `
    cursor_to_xml cursor_to_xmlschema query_to_xml query_to_xml_and_xmlschema query_to_xmlschema ts_rewrite ts_stat`,
  'wakes the application: a known gap of docs/SECURITY.md': `pg_notify`,
}

export const reviewedFunctions: ReadonlySet<string> = new Set(
  Object.values(reviewed).flatMap((names) => names.trim().split(/\s+/)),
)
