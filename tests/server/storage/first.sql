-- A database of the first version (schema 0001), as that version wrote it; the token of a seat is first-token-N.
BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0001');
CREATE TABLE changes (
	table_id VARCHAR(16) NOT NULL, 
	number INTEGER NOT NULL, 
	kind VARCHAR(8) NOT NULL, 
	seat INTEGER NOT NULL, 
	text VARCHAR(80) NOT NULL, 
	move_id VARCHAR(64), 
	by_bot BOOLEAN NOT NULL, 
	at DATETIME NOT NULL, 
	CONSTRAINT pk_changes PRIMARY KEY (table_id, number), 
	CONSTRAINT uq_changes_table_id_move_id UNIQUE (table_id, move_id), 
	CONSTRAINT fk_changes_table_id FOREIGN KEY(table_id) REFERENCES tables (id) ON DELETE CASCADE
);
INSERT INTO "changes" VALUES('first-table-0',1,'move',2,'start Indianapolis','m0',0,'2025-03-01 03:19:30.813200');
INSERT INTO "changes" VALUES('first-table-0',2,'move',1,'start Dodge City','m1',0,'2025-03-01 03:19:30.818505');
INSERT INTO "changes" VALUES('first-table-0',3,'move',0,'start Ogallala','m2',0,'2025-03-01 03:19:30.822706');
INSERT INTO "changes" VALUES('first-table-0',4,'move',0,'boom Chicago','m3',0,'2025-03-01 03:19:30.826604');
INSERT INTO "changes" VALUES('first-table-0',5,'move',0,'boom Kansas City','m4',0,'2025-03-01 03:19:30.830580');
INSERT INTO "changes" VALUES('first-table-0',6,'move',0,'done','m5',0,'2025-03-01 03:19:30.834472');
INSERT INTO "changes" VALUES('first-table-0',7,'undo',0,'1','m6',0,'2025-03-01 03:19:30.838757');
INSERT INTO "changes" VALUES('first-table-0',8,'move',0,'expand Chicago 1','m7',0,'2025-03-01 03:19:30.843745');
INSERT INTO "changes" VALUES('first-table-0',9,'move',0,'done','m8',0,'2025-03-01 03:19:30.855922');
INSERT INTO "changes" VALUES('first-table-0',10,'move',0,'end','m9',0,'2025-03-01 03:19:30.863146');
INSERT INTO "changes" VALUES('first-table-0',11,'move',1,'boom Atlanta','m10',0,'2025-03-01 03:19:30.870120');
INSERT INTO "changes" VALUES('first-table-0',12,'move',1,'done','m11',0,'2025-03-01 03:19:30.876689');
INSERT INTO "changes" VALUES('first-table-0',13,'move',1,'end','m12',0,'2025-03-01 03:19:30.883096');
INSERT INTO "changes" VALUES('first-table-0',14,'move',2,'boom Charleston','m13',0,'2025-03-01 03:19:30.889062');
INSERT INTO "changes" VALUES('first-table-0',15,'move',2,'expand St. Louis 1','m14',0,'2025-03-01 03:19:30.893259');
INSERT INTO "changes" VALUES('first-table-0',16,'move',2,'done','m15',0,'2025-03-01 03:19:30.897270');
INSERT INTO "changes" VALUES('first-table-0',17,'move',2,'end','m16',0,'2025-03-01 03:19:30.901963');
INSERT INTO "changes" VALUES('first-table-0',18,'move',0,'stay','m17',0,'2025-03-01 03:19:30.907177');
INSERT INTO "changes" VALUES('first-table-0',19,'move',0,'expand Oklahoma City 1','m18',0,'2025-03-01 03:19:30.911287');
INSERT INTO "changes" VALUES('first-table-0',20,'undo',0,'1','m19',0,'2025-03-01 03:19:30.915006');
INSERT INTO "changes" VALUES('first-table-0',21,'move',0,'expand Oklahoma City 1','m20',0,'2025-03-01 03:19:30.918824');
INSERT INTO "changes" VALUES('first-table-0',22,'move',0,'done','m21',0,'2025-03-01 03:19:30.922739');
INSERT INTO "changes" VALUES('first-table-0',23,'move',0,'end','m22',0,'2025-03-01 03:19:30.926429');
INSERT INTO "changes" VALUES('first-table-0',24,'move',1,'stay','m23',0,'2025-03-01 03:19:30.930186');
INSERT INTO "changes" VALUES('first-table-0',25,'move',1,'expand Omaha 0','m24',0,'2025-03-01 03:19:30.933893');
INSERT INTO "changes" VALUES('first-table-0',26,'move',1,'done','m25',0,'2025-03-01 03:19:30.937618');
INSERT INTO "changes" VALUES('first-table-0',27,'undo',1,'1','m26',0,'2025-03-01 03:19:30.941680');
INSERT INTO "changes" VALUES('first-table-1',1,'move',1,'start Raleigh',NULL,1,'2025-03-01 03:19:30.956751');
INSERT INTO "changes" VALUES('first-table-1',2,'move',0,'start Salt Lake City','m1',0,'2025-03-01 03:19:31.012534');
INSERT INTO "changes" VALUES('first-table-1',3,'move',0,'done','m2',0,'2025-03-01 03:19:31.018730');
INSERT INTO "changes" VALUES('first-table-1',4,'move',0,'end','m3',0,'2025-03-01 03:19:31.024119');
INSERT INTO "changes" VALUES('first-table-1',5,'move',1,'expand Washington 1',NULL,1,'2025-03-01 03:19:31.028306');
INSERT INTO "changes" VALUES('first-table-1',6,'move',1,'done',NULL,1,'2025-03-01 03:19:31.029322');
INSERT INTO "changes" VALUES('first-table-1',7,'move',1,'end',NULL,1,'2025-03-01 03:19:31.030333');
INSERT INTO "changes" VALUES('first-table-1',8,'move',0,'expand Denver 1','m7',0,'2025-03-01 03:19:31.084215');
INSERT INTO "changes" VALUES('first-table-1',9,'move',0,'again Flagstaff 0','m8',0,'2025-03-01 03:19:31.089744');
CREATE TABLE messages (
	id INTEGER NOT NULL, 
	table_id VARCHAR(16) NOT NULL, 
	seat INTEGER NOT NULL, 
	name VARCHAR(40) NOT NULL, 
	text VARCHAR(500) NOT NULL, 
	at DATETIME NOT NULL, 
	CONSTRAINT pk_messages PRIMARY KEY (id), 
	CONSTRAINT fk_messages_table_id FOREIGN KEY(table_id) REFERENCES tables (id) ON DELETE CASCADE
);
INSERT INTO "messages" VALUES(1,'first-table-0',0,'Ann','see you tomorrow','2025-03-01 03:19:30.944471');
CREATE TABLE seats (
	table_id VARCHAR(16) NOT NULL, 
	number INTEGER NOT NULL, 
	kind VARCHAR(8) NOT NULL, 
	name VARCHAR(40) NOT NULL, 
	level VARCHAR(40), 
	token_hash VARCHAR(64), 
	holder_hash VARCHAR(64), 
	taken_at DATETIME, 
	away BOOLEAN NOT NULL, 
	out_at DATETIME, 
	back_at DATETIME, 
	CONSTRAINT pk_seats PRIMARY KEY (table_id, number), 
	CONSTRAINT fk_seats_table_id FOREIGN KEY(table_id) REFERENCES tables (id) ON DELETE CASCADE
);
INSERT INTO "seats" VALUES('first-table-0',0,'human','Ann',NULL,'030c9e34d9f358c28ad8e2f84c193de64794e19c9bbc3d32f9b3d1783f0c3dcb',NULL,'2025-03-01 03:19:30.783498',0,NULL,NULL);
INSERT INTO "seats" VALUES('first-table-0',1,'human','Bo',NULL,'10985aeec4d2943daeda38b1de233e399085f112bcf9609d8f893df788696cff',NULL,'2025-03-01 03:19:30.783498',0,NULL,NULL);
INSERT INTO "seats" VALUES('first-table-0',2,'human','José',NULL,'87b3c2fe0dabb2036b1a96dc775a1d5755d40efb145149230168b4906fedd3f5',NULL,'2025-03-01 03:19:30.783498',0,NULL,NULL);
INSERT INTO "seats" VALUES('first-table-1',0,'human','',NULL,'dcc159051d56a9f9bc1c67b06b6cf9597a0e21641c367bc3f65ebb8f8e1672d0',NULL,'2025-03-01 03:19:30.949425',0,NULL,NULL);
INSERT INTO "seats" VALUES('first-table-1',1,'bot','','casual',NULL,NULL,'2025-03-01 03:19:30.949425',0,NULL,NULL);
INSERT INTO "seats" VALUES('first-table-2',0,'human','',NULL,'ae78dd458260fc46391c2a7b368ec06cc5fcfc72baf098e411a0f55c5c156436',NULL,'2025-03-01 03:19:31.093853',0,NULL,NULL);
INSERT INTO "seats" VALUES('first-table-2',1,'human','',NULL,NULL,NULL,NULL,0,NULL,NULL);
INSERT INTO "seats" VALUES('first-table-3',0,'human','Di',NULL,'fd573cee04d3103f03544f7a85a81751ad04112d29ca935f5c04ba38d507508c',NULL,'2025-03-01 03:19:31.099930',0,NULL,NULL);
INSERT INTO "seats" VALUES('first-table-3',1,'bot','','casual',NULL,NULL,'2025-03-01 03:19:31.099930',0,NULL,NULL);
CREATE TABLE tables (
	id VARCHAR(16) NOT NULL, 
	record TEXT NOT NULL, 
	version INTEGER NOT NULL, 
	revision INTEGER NOT NULL, 
	public BOOLEAN NOT NULL, 
	options JSON NOT NULL, 
	seed BIGINT NOT NULL, 
	clock VARCHAR(8) NOT NULL, 
	minutes INTEGER NOT NULL, 
	increment INTEGER NOT NULL, 
	turn INTEGER NOT NULL, 
	to_move INTEGER, 
	rematch VARCHAR(16), 
	created_at DATETIME NOT NULL, 
	changed_at DATETIME NOT NULL, 
	CONSTRAINT pk_tables PRIMARY KEY (id), 
	CONSTRAINT fk_tables_rematch FOREIGN KEY(rematch) REFERENCES tables (id)
);
INSERT INTO "tables" VALUES('first-table-0','franchise 1
players 3
option milestones
option boom
option regions mixed
milestones a b d e f g
region California N1
region Grand Canyon Great Lakes
region Upper West N3
region Montana N11
region Great Lakes Grand Canyon
region New York Upper West
region Washington N8
region Florida Montana
region Central N2
region Texas N9
moves
',27,27,1,'{"introductory": false, "expert": null, "milestones": true, "boom": true, "regions": "mixed"}',7,'none',0,0,5,1,NULL,'2025-03-01 03:19:30.783498','2025-03-01 03:19:30.941680');
INSERT INTO "tables" VALUES('first-table-1','franchise 1
players 2
moves
',9,9,0,'{"introductory": false, "expert": null, "milestones": false, "boom": false, "regions": null}',8,'live',60,10,3,0,NULL,'2025-03-01 03:19:30.949425','2025-03-01 03:19:31.089744');
INSERT INTO "tables" VALUES('first-table-2','franchise 1
players 2
moves
',0,0,1,'{"introductory": false, "expert": null, "milestones": false, "boom": false, "regions": null}',9,'none',0,0,0,1,NULL,'2025-03-01 03:19:31.093853','2025-03-01 03:19:31.093853');
INSERT INTO "tables" VALUES('first-table-3','franchise 1
players 2
moves
',0,0,0,'{"introductory": false, "expert": null, "milestones": false, "boom": false, "regions": null}',10,'none',0,0,0,1,NULL,'2025-03-01 03:19:31.099930','2025-03-01 03:19:31.099930');
CREATE INDEX ix_tables_changed_at ON tables (changed_at);
CREATE INDEX ix_tables_to_move ON tables (to_move);
CREATE INDEX ix_seats_holder_hash ON seats (holder_hash);
CREATE INDEX ix_messages_table_id ON messages (table_id, id);
COMMIT;
