//Maya ASCII 2024 scene
//Name: humanoid_rom.ma
//Written by examples/make_humanoid.py; frames 1 to 1821
//Codeset: UTF-8
requires maya "2024";
currentUnit -l centimeter -a degree -t ntsc;
fileInfo "application" "maya";
fileInfo "product" "Maya 2024";
fileInfo "version" "2024";
fileInfo "UUID" "EA0B1DF4-C66C-5C4C-84E1-E49FE66CB4AE";
createNode transform -n "Humanoid_grp";
	rename -uid "D022A6BE-8BF2-54CC-BC3E-96B915B682D1";
createNode joint -n "Hips" -p "Humanoid_grp";
	rename -uid "6C55E1F4-4A64-59D7-8B21-248564617D7E";
	setAttr ".t" -type "double3" 0 96 0 ;
	setAttr ".ro" 2;
	setAttr ".mnrl" -type "double3" -360 -360 -360 ;
	setAttr ".mxrl" -type "double3" 360 360 360 ;
	setAttr ".ssc" no;
	setAttr ".bps" -type "matrix" 1 0 0 0 0 1 0 0
		 0 0 1 0 0 96 0 1;
	setAttr ".typ" 1;
	setAttr ".radi" 2;
createNode joint -n "Spine" -p "Hips";
	rename -uid "ECC1D318-2E82-5AFE-93B8-84F003F36D50";
	setAttr ".t" -type "double3" 0 10 0 ;
	setAttr ".mnrl" -type "double3" -360 -360 -360 ;
	setAttr ".mxrl" -type "double3" 360 360 360 ;
	setAttr ".ssc" no;
	setAttr ".bps" -type "matrix" 1 0 0 0 0 1 0 0
		 0 0 1 0 0 106 0 1;
	setAttr ".typ" 6;
	setAttr ".radi" 2;
createNode joint -n "Chest" -p "Spine";
	rename -uid "2A84B1A8-BB80-5782-A7A0-CBFF586FC275";
	setAttr ".t" -type "double3" 0 18 -1 ;
	setAttr ".mnrl" -type "double3" -360 -360 -360 ;
	setAttr ".mxrl" -type "double3" 360 360 360 ;
	setAttr ".ssc" no;
	setAttr ".bps" -type "matrix" 1 0 0 0 0 1 0 0
		 0 0 1 0 0 124 -1 1;
	setAttr ".typ" 6;
	setAttr ".radi" 2;
createNode joint -n "Neck" -p "Chest";
	rename -uid "C1896202-6F87-577B-B806-A37EBD6412B6";
	setAttr ".t" -type "double3" 0 24 0 ;
	setAttr ".ro" 4;
	setAttr ".mnrl" -type "double3" -360 -360 -360 ;
	setAttr ".mxrl" -type "double3" 360 360 360 ;
	setAttr ".ssc" no;
	setAttr ".bps" -type "matrix" 1 0 0 0 0 1 0 0
		 0 0 1 0 0 148 -1 1;
	setAttr ".typ" 7;
	setAttr ".radi" 2;
createNode joint -n "Head" -p "Neck";
	rename -uid "86BF6CD2-4D65-5EEC-A2A8-8734A8D4ACE2";
	setAttr ".t" -type "double3" 0 10 2 ;
	setAttr ".mnrl" -type "double3" -360 -360 -360 ;
	setAttr ".mxrl" -type "double3" 360 360 360 ;
	setAttr ".ssc" no;
	setAttr ".bps" -type "matrix" 1 0 0 0 0 1 0 0
		 0 0 1 0 0 158 1 1;
	setAttr ".typ" 8;
	setAttr ".radi" 2;
createNode joint -n "LeftClavicle" -p "Chest";
	rename -uid "0DA55A06-2251-55F4-B9F7-133385A5FFA3";
	setAttr ".t" -type "double3" 2.5 19 1 ;
	setAttr ".mnrl" -type "double3" -360 -360 -360 ;
	setAttr ".mxrl" -type "double3" 360 360 360 ;
	setAttr ".jo" -type "double3" 90 7.812142 5.906141 ;
	setAttr ".bps" -type "matrix" 0.985460117 0.101944148 -0.135925527 0 0.135204006 0.013986621 0.990719058 0
		 0.102899149 -0.994691794 0 0 2.5 143 0 1;
	setAttr ".sd" 1;
	setAttr ".typ" 9;
	setAttr ".radi" 1;
createNode joint -n "LeftShoulder" -p "LeftClavicle";
	rename -uid "4CE6F3BB-3B55-5D4A-923F-5EA8FF41864D";
	setAttr ".t" -type "double3" 14.713939 0 0 ;
	setAttr ".mnrl" -type "double3" -360 -360 -360 ;
	setAttr ".mxrl" -type "double3" 360 360 360 ;
	setAttr ".jo" -type "double3" 1.79297 -41.529806 5.108976 ;
	setAttr ".bps" -type "matrix" 0.812031676 -0.582544472 -0.035305723 0 0.028687254 -0.020579979 0.999376559 0
		 -0.582907881 -0.812538247 7e-09 0 17.000000046 144.499999976 -1.999999906 1;
	setAttr ".sd" 1;
	setAttr ".typ" 10;
	setAttr ".radi" 1;
createNode joint -n "LeftElbow" -p "LeftShoulder";
	rename -uid "65694B94-B24B-5DDE-946A-9706EABCFF3B";
	setAttr ".t" -type "double3" 28.324018 0 0 ;
	setAttr ".ro" 2;
	setAttr ".mnrl" -type "double3" -360 -360 -360 ;
	setAttr ".mxrl" -type "double3" 360 360 360 ;
	setAttr ".jo" -type "double3" 0.470477 3.867379 8.964761 ;
	setAttr ".bps" -type "matrix" 0.844061263 -0.522514121 0.120580173 0 -0.102525117 0.063467933 0.992703592 0
		 -0.526354619 -0.850265144 3e-09 0 39.999999867 127.999999853 -2.999999849 1;
	setAttr ".sd" 1;
	setAttr ".typ" 11;
	setAttr ".radi" 1;
createNode joint -n "LeftWrist" -p "LeftElbow";
	rename -uid "9CACB0D5-5E63-52A5-937A-C68EFEFB9A05";
	setAttr ".t" -type "double3" 24.879711 0 0 ;
	setAttr ".ro" 3;
	setAttr ".mnrl" -type "double3" -360 -360 -360 ;
	setAttr ".mxrl" -type "double3" 360 360 360 ;
	setAttr ".jo" -type "double3" 0.090394 0.790573 -0.402522 ;
	setAttr ".bps" -type "matrix" 0.85194275 -0.511165653 0.113592366 0 -0.09740465 0.058442791 0.99352744 0
		 -0.514495757 -0.857492925 1e-09 0 61.000000157 114.999999542 1.1e-08 1;
	setAttr ".sd" 1;
	setAttr ".typ" 12;
	setAttr ".radi" 1;
createNode joint -n "RightClavicle" -p "Chest";
	rename -uid "99348AFC-9AF1-514D-8CA2-C4847A7152CF";
	setAttr ".t" -type "double3" -2.5 19 1 ;
	setAttr ".mnrl" -type "double3" -360 -360 -360 ;
	setAttr ".mxrl" -type "double3" 360 360 360 ;
	setAttr ".jo" -type "double3" -90 -7.812142 -5.906141 ;
	setAttr ".bps" -type "matrix" 0.985460117 -0.101944148 0.135925527 0 0.135204006 -0.013986621 -0.990719058 0
		 0.102899149 0.994691794 0 0 -2.5 143 0 1;
	setAttr ".sd" 2;
	setAttr ".typ" 9;
	setAttr ".radi" 1;
createNode joint -n "RightShoulder" -p "RightClavicle";
	rename -uid "1AC62B79-75FA-56B9-B41C-9328CE15C0FB";
	setAttr ".t" -type "double3" -14.713939 0 0 ;
	setAttr ".mnrl" -type "double3" -360 -360 -360 ;
	setAttr ".mxrl" -type "double3" 360 360 360 ;
	setAttr ".jo" -type "double3" 1.79297 -41.529806 5.108976 ;
	setAttr ".bps" -type "matrix" 0.812031676 0.582544472 0.035305723 0 0.028687254 0.020579979 -0.999376559 0
		 -0.582907881 0.812538247 -7e-09 0 -17.000000046 144.499999976 -1.999999906 1;
	setAttr ".sd" 2;
	setAttr ".typ" 10;
	setAttr ".radi" 1;
createNode joint -n "RightElbow" -p "RightShoulder";
	rename -uid "F8CC93DF-D71C-5CA6-863C-A780CAB97E04";
	setAttr ".t" -type "double3" -28.324018 0 0 ;
	setAttr ".ro" 2;
	setAttr ".mnrl" -type "double3" -360 -360 -360 ;
	setAttr ".mxrl" -type "double3" 360 360 360 ;
	setAttr ".jo" -type "double3" 0.470477 3.867379 8.964761 ;
	setAttr ".bps" -type "matrix" 0.844061263 0.522514121 -0.120580173 0 -0.102525117 -0.063467933 -0.992703592 0
		 -0.526354619 0.850265144 -3e-09 0 -39.999999867 127.999999853 -2.999999849 1;
	setAttr ".sd" 2;
	setAttr ".typ" 11;
	setAttr ".radi" 1;
createNode joint -n "RightWrist" -p "RightElbow";
	rename -uid "0B0EDD2F-4B2E-5C1D-A4E9-5E467EC378CF";
	setAttr ".t" -type "double3" -24.879711 0 0 ;
	setAttr ".ro" 3;
	setAttr ".mnrl" -type "double3" -360 -360 -360 ;
	setAttr ".mxrl" -type "double3" 360 360 360 ;
	setAttr ".jo" -type "double3" 0.090394 0.790573 -0.402522 ;
	setAttr ".bps" -type "matrix" 0.85194275 0.511165653 -0.113592366 0 -0.09740465 -0.058442791 -0.99352744 0
		 -0.514495757 0.857492925 -1e-09 0 -61.000000157 114.999999542 1.1e-08 1;
	setAttr ".sd" 2;
	setAttr ".typ" 12;
	setAttr ".radi" 1;
createNode joint -n "LeftHip" -p "Hips";
	rename -uid "56FA7200-6540-5C69-9657-530545B50986";
	setAttr ".t" -type "double3" 9 -3 0 ;
	setAttr ".mnrl" -type "double3" -360 -360 -360 ;
	setAttr ".mxrl" -type "double3" 360 360 360 ;
	setAttr ".jo" -type "double3" 90 -1.363059 -87.954592 ;
	setAttr ".bps" -type "matrix" 0.035681423 -0.999080069 0.023787624 0 -0.000849016 0.023772467 0.999717034 0
		 -0.999362855 -0.035691522 0 0 9 93 0 1;
	setAttr ".sd" 1;
	setAttr ".typ" 2;
	setAttr ".radi" 1;
createNode joint -n "LeftKnee" -p "LeftHip";
	rename -uid "F3C61D62-CAEC-5F78-9038-4A746F91AC1E";
	setAttr ".t" -type "double3" 42.038673 0 0 ;
	setAttr ".mnrl" -type "double3" -360 -360 -360 ;
	setAttr ".mxrl" -type "double3" 360 360 360 ;
	setAttr ".jo" -type "double3" 0.097717 -1.351604 -5.498584 ;
	setAttr ".bps" -type "matrix" 0.012015963 -0.997325329 -0.072095807 0 0.000868568 -0.072090575 0.997397711 0
		 -0.999927428 -0.012047314 7e-09 0 10.499999653 50.999999662 1.000000126 1;
	setAttr ".sd" 1;
	setAttr ".typ" 3;
	setAttr ".radi" 1;
createNode joint -n "LeftAnkle" -p "LeftKnee";
	rename -uid "A2964498-E43E-5A6F-9230-5197BC50D0DE";
	setAttr ".t" -type "double3" 41.611297 0 0 ;
	setAttr ".ro" 5;
	setAttr ".mnrl" -type "double3" -360 -360 -360 ;
	setAttr ".mxrl" -type "double3" 360 360 360 ;
	setAttr ".jo" -type "double3" -4.182505 5.814348 63.815408 ;
	setAttr ".bps" -type "matrix" 0.107348443 -0.50095939 0.858787518 0 0.062136366 0.865470791 0.497090919 0
		 -0.992277876 0 0.124034738 0 10.999999445 9.499999205 -1.99999992 1;
	setAttr ".sd" 1;
	setAttr ".typ" 4;
	setAttr ".radi" 1;
createNode joint -n "LeftToe" -p "LeftAnkle";
	rename -uid "3229E7D7-EA9F-5BDB-8FF4-345B027414F5";
	setAttr ".t" -type "double3" 13.973189 0 0 ;
	setAttr ".mnrl" -type "double3" -360 -360 -360 ;
	setAttr ".mxrl" -type "double3" 360 360 360 ;
	setAttr ".jo" -type "double3" 0.295013 -1.383321 18.023444 ;
	setAttr ".bps" -type "matrix" 0.097316133 -0.20853456 0.973161296 0 0.020749972 0.978014999 0.207499642 0
		 -0.99503719 7e-09 0.099503724 0 12.499999531 2.499998972 10.000000385 1;
	setAttr ".sd" 1;
	setAttr ".typ" 5;
	setAttr ".radi" 1;
createNode joint -n "RightHip" -p "Hips";
	rename -uid "A4D8011A-19F7-5C50-8330-9927B40E27E7";
	setAttr ".t" -type "double3" -9 -3 0 ;
	setAttr ".mnrl" -type "double3" -360 -360 -360 ;
	setAttr ".mxrl" -type "double3" 360 360 360 ;
	setAttr ".jo" -type "double3" -90 1.363059 87.954592 ;
	setAttr ".bps" -type "matrix" 0.035681423 0.999080069 -0.023787624 0 -0.000849016 -0.023772467 -0.999717034 0
		 -0.999362855 0.035691522 0 0 -9 93 0 1;
	setAttr ".sd" 2;
	setAttr ".typ" 2;
	setAttr ".radi" 1;
createNode joint -n "RightKnee" -p "RightHip";
	rename -uid "08BCAF47-E74B-507A-80CD-8DEBFCED9E79";
	setAttr ".t" -type "double3" -42.038673 0 0 ;
	setAttr ".mnrl" -type "double3" -360 -360 -360 ;
	setAttr ".mxrl" -type "double3" 360 360 360 ;
	setAttr ".jo" -type "double3" 0.097717 -1.351604 -5.498584 ;
	setAttr ".bps" -type "matrix" 0.012015963 0.997325329 0.072095807 0 0.000868568 0.072090575 -0.997397711 0
		 -0.999927428 0.012047314 -7e-09 0 -10.499999653 50.999999662 1.000000126 1;
	setAttr ".sd" 2;
	setAttr ".typ" 3;
	setAttr ".radi" 1;
createNode joint -n "RightAnkle" -p "RightKnee";
	rename -uid "B1974ED4-6BB8-58CD-A393-3FB011A4C540";
	setAttr ".t" -type "double3" -41.611297 0 0 ;
	setAttr ".ro" 5;
	setAttr ".mnrl" -type "double3" -360 -360 -360 ;
	setAttr ".mxrl" -type "double3" 360 360 360 ;
	setAttr ".jo" -type "double3" -4.182505 5.814348 63.815408 ;
	setAttr ".bps" -type "matrix" 0.107348443 0.50095939 -0.858787518 0 0.062136366 -0.865470791 -0.497090919 0
		 -0.992277876 0 -0.124034738 0 -10.999999445 9.499999205 -1.99999992 1;
	setAttr ".sd" 2;
	setAttr ".typ" 4;
	setAttr ".radi" 1;
createNode joint -n "RightToe" -p "RightAnkle";
	rename -uid "7BE4E23F-8681-5090-8933-5EA2E665AD30";
	setAttr ".t" -type "double3" -13.973189 0 0 ;
	setAttr ".mnrl" -type "double3" -360 -360 -360 ;
	setAttr ".mxrl" -type "double3" 360 360 360 ;
	setAttr ".jo" -type "double3" 0.295013 -1.383321 18.023444 ;
	setAttr ".bps" -type "matrix" 0.097316133 0.20853456 -0.973161296 0 0.020749972 -0.978014999 -0.207499642 0
		 -0.99503719 -7e-09 -0.099503724 0 -12.499999531 2.499998972 10.000000385 1;
	setAttr ".sd" 2;
	setAttr ".typ" 5;
	setAttr ".radi" 1;
createNode dagPose -n "bindPose1";
	rename -uid "C611298F-F211-5427-BED6-E9E31D2F7F8E";
	setAttr -s 22 ".wm";
	setAttr ".wm[0]" -type "matrix" 1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1;
	setAttr -s 22 ".xm";
	setAttr ".xm[0]" -type "matrix" "xform" 1 1 1 0 0 0 0 0 0 0
		 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
		 0 0 0 1 0 0 0 1 1 1 1 yes;
	setAttr ".xm[1]" -type "matrix" "xform" 1 1 1 0 0 0 2 0 96 0
		 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
		 0 0 0 1 0 0 0 1 1 1 1 no;
	setAttr ".xm[2]" -type "matrix" "xform" 1 1 1 0 0 0 0 0 10 0
		 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
		 0 0 0 1 0 0 0 1 1 1 1 no;
	setAttr ".xm[3]" -type "matrix" "xform" 1 1 1 0 0 0 0 0 18 -1
		 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
		 0 0 0 1 0 0 0 1 1 1 1 no;
	setAttr ".xm[4]" -type "matrix" "xform" 1 1 1 0 0 0 4 0 24 0
		 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
		 0 0 0 1 0 0 0 1 1 1 1 no;
	setAttr ".xm[5]" -type "matrix" "xform" 1 1 1 0 0 0 0 0 10 2
		 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
		 0 0 0 1 0 0 0 1 1 1 1 no;
	setAttr ".xm[6]" -type "matrix" "xform" 1 1 1 0 0 0 0 2.5 19 1
		 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
		 0 0 0 1 0.7020458489 0.0844489553 -0.0117607623 0.7070089706 1 1 1 yes;
	setAttr ".xm[7]" -type "matrix" "xform" 1 1 1 0 0 0 0 14.713939 0 0
		 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
		 0 0 0 1 0.030414589 -0.3534865658 0.0472107816 0.9337522919 1 1 1 yes;
	setAttr ".xm[8]" -type "matrix" "xform" 1 1 1 0 0 0 2 28.324018 0 0
		 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
		 0 0 0 1 0.0014537205 0.0339600393 0.0779692459 0.9963761334 1 1 1 yes;
	setAttr ".xm[9]" -type "matrix" "xform" 1 1 1 0 0 0 3 24.879711 0 0
		 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
		 0 0 0 1 0.0008130466 0.0068961806 -0.0035180173 0.9999697021 1 1 1 yes;
	setAttr ".xm[10]" -type "matrix" "xform" 1 1 1 0 0 0 0 -2.5 19 1
		 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
		 0 0 0 1 -0.7070089706 -0.0117607623 -0.0844489553 0.7020458489 1 1 1 yes;
	setAttr ".xm[11]" -type "matrix" "xform" 1 1 1 0 0 0 0 -14.713939 0 0
		 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
		 0 0 0 1 0.030414589 -0.3534865658 0.0472107816 0.9337522919 1 1 1 yes;
	setAttr ".xm[12]" -type "matrix" "xform" 1 1 1 0 0 0 2 -28.324018 0 0
		 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
		 0 0 0 1 0.0014537205 0.0339600393 0.0779692459 0.9963761334 1 1 1 yes;
	setAttr ".xm[13]" -type "matrix" "xform" 1 1 1 0 0 0 3 -24.879711 0 0
		 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
		 0 0 0 1 0.0008130466 0.0068961806 -0.0035180173 0.9999697021 1 1 1 yes;
	setAttr ".xm[14]" -type "matrix" "xform" 1 1 1 0 0 0 0 9 -3 0
		 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
		 0 0 0 1 0.5029684272 -0.4970138441 -0.4849087827 0.5146488827 1 1 1 yes;
	setAttr ".xm[15]" -type "matrix" "xform" 1 1 1 0 0 0 0 42.038673 0 0
		 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
		 0 0 0 1 0.0002859591 -0.0118220159 -0.0479523856 0.9987796188 1 1 1 yes;
	setAttr ".xm[16]" -type "matrix" "xform" 1 1 1 0 0 0 5 41.611297 0 0
		 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
		 0 0 0 1 -0.0577267476 0.0237631985 0.5290917772 0.846265221 1 1 1 yes;
	setAttr ".xm[17]" -type "matrix" "xform" 1 1 1 0 0 0 0 13.973189 0 0
		 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
		 0 0 0 1 0.0044333328 -0.0115191872 0.1566552924 0.9875762114 1 1 1 yes;
	setAttr ".xm[18]" -type "matrix" "xform" 1 1 1 0 0 0 0 -9 -3 0
		 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
		 0 0 0 1 -0.5146488827 -0.4849087827 0.4970138441 0.5029684272 1 1 1 yes;
	setAttr ".xm[19]" -type "matrix" "xform" 1 1 1 0 0 0 0 -42.038673 0 0
		 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
		 0 0 0 1 0.0002859591 -0.0118220159 -0.0479523856 0.9987796188 1 1 1 yes;
	setAttr ".xm[20]" -type "matrix" "xform" 1 1 1 0 0 0 5 -41.611297 0 0
		 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
		 0 0 0 1 -0.0577267476 0.0237631985 0.5290917772 0.846265221 1 1 1 yes;
	setAttr ".xm[21]" -type "matrix" "xform" 1 1 1 0 0 0 0 -13.973189 0 0
		 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
		 0 0 0 1 0.0044333328 -0.0115191872 0.1566552924 0.9875762114 1 1 1 yes;
	setAttr -s 22 ".m";
	setAttr -s 22 ".p";
	setAttr ".bp" yes;
createNode animCurveTL -n "Hips_translateX";
	rename -uid "90F49E35-6EF8-53DF-9869-127640C817A7";
	setAttr ".tan" 2;
	setAttr ".wgt" no;
	setAttr -s 4 ".ktv[0:3]"  9 0 39 8 79 -8 109 0;
createNode animCurveTL -n "Hips_translateY";
	rename -uid "AF531D3E-21FA-586A-8EED-B34A44299EE7";
	setAttr ".tan" 2;
	setAttr ".wgt" no;
	setAttr -s 4 ".ktv[0:3]"  9 96 109 96 134 88 159 96;
createNode animCurveTL -n "Hips_translateZ";
	rename -uid "9B3EC486-7CF8-5A67-AEE0-DDAB61D1F1AC";
	setAttr ".tan" 2;
	setAttr ".wgt" no;
	setAttr -s 4 ".ktv[0:3]"  9 0 69 5 149 -4 189 0;
createNode animCurveTA -n "Hips_rotateX";
	rename -uid "01FDFF14-AD97-5FEE-8FE7-1A1D70E25E50";
	setAttr ".tan" 2;
	setAttr ".wgt" no;
	setAttr -s 11 ".ktv[0:10]"  9 0 23 30 43 -25 57 0 157 0 169 24 181 -20 193 24
		 205 -20 217 24 229 0;
createNode animCurveTA -n "Hips_rotateY";
	rename -uid "03966E96-034D-5BD9-BFBD-7A9F5D7009C3";
	setAttr ".tan" 2;
	setAttr ".wgt" no;
	setAttr -s 9 ".ktv[0:8]"  57 0 71 70 91 -70 105 0 157 0 175 56 193 -56 211 56
		 229 0;
createNode animCurveTA -n "Hips_rotateZ";
	rename -uid "8CBA2EFF-DB33-59ED-94C3-94D03B5DD459";
	setAttr ".tan" 2;
	setAttr ".wgt" no;
	setAttr -s 8 ".ktv[0:7]"  105 0 119 20 139 -20 153 0 157 0 181 16 205 -16 229 0;
createNode animCurveTA -n "Spine_rotateX";
	rename -uid "188D47C9-49C1-530B-BDE3-4EA25A0E03B6";
	setAttr ".tan" 18;
	setAttr ".wgt" no;
	setAttr -s 11 ".ktv[0:10]"  237 0 251 60 271 -25 285 0 385 0 397 48 409 -20 421 48
		 433 -20 445 48 457 0;
createNode animCurveTA -n "Spine_rotateY";
	rename -uid "86561CFF-008E-5169-94AB-15F889809A16";
	setAttr ".tan" 18;
	setAttr ".wgt" no;
	setAttr -s 9 ".ktv[0:8]"  285 0 299 40 319 -40 333 0 385 0 403 32 421 -32 439 32
		 457 0;
createNode animCurveTA -n "Spine_rotateZ";
	rename -uid "A4A52011-5BE7-5612-BA1F-C7BAF4B9A4E3";
	setAttr ".tan" 18;
	setAttr ".wgt" no;
	setAttr -s 8 ".ktv[0:7]"  333 0 347 30 367 -30 381 0 385 0 409 24 433 -24 457 0;
createNode animCurveTA -n "Neck_rotateX";
	rename -uid "B3CF1676-BD58-5753-B7C3-E8998307F73F";
	setAttr ".tan" 2;
	setAttr ".wgt" no;
	setAttr -s 11 ".ktv[0:10]"  465 0 479 45 499 -40 513 0 613 0 625 36 637 -32 649 36
		 661 -32 673 36 685 0;
createNode animCurveTA -n "Neck_rotateY";
	rename -uid "374547AA-0683-5EEB-B0C3-BF998476CFD9";
	setAttr ".tan" 2;
	setAttr ".wgt" no;
	setAttr -s 9 ".ktv[0:8]"  513 0 527 65 547 -65 561 0 613 0 631 52 649 -52 667 52
		 685 0;
createNode animCurveTA -n "Neck_rotateZ";
	rename -uid "3C27BFC8-CA7B-5066-864F-F0FDE9EF9C9A";
	setAttr ".tan" 2;
	setAttr ".wgt" no;
	setAttr -s 8 ".ktv[0:7]"  561 0 575 35 595 -35 609 0 613 0 637 28 661 -28 685 0;
createNode animCurveTA -n "Head_rotateX";
	rename -uid "70278800-4D37-5E27-A8EC-43820CF68BE0";
	setAttr ".tan" 18;
	setAttr ".wgt" no;
	setAttr -s 2 ".ktv[0:1]"  1 0 1821 0;
createNode animCurveTA -n "Head_rotateY";
	rename -uid "F3D48913-D326-56AA-ABD0-8788C67BC14E";
	setAttr ".tan" 18;
	setAttr ".wgt" no;
	setAttr -s 2 ".ktv[0:1]"  1 0 1821 0;
createNode animCurveTA -n "Head_rotateZ";
	rename -uid "9C9E0C02-653B-5644-A358-4D1868B5E91F";
	setAttr ".tan" 18;
	setAttr ".wgt" no;
	setAttr -s 2 ".ktv[0:1]"  1 0 1821 0;
createNode animCurveTA -n "LeftClavicle_rotateY";
	rename -uid "197DA942-25C2-5F69-A6B6-7D4AA0C7C361";
	setAttr ".tan" 18;
	setAttr ".wgt" no;
	setAttr -s 10 ".ktv[0:9]"  693 0 707 35 727 -15 741 0 793 0 805 28 817 -12 829 28
		 841 -12 853 0;
createNode animCurveTA -n "LeftClavicle_rotateZ";
	rename -uid "F91290BE-9D2E-5828-A62A-85D0230013F4";
	setAttr ".tan" 18;
	setAttr ".wgt" no;
	setAttr -s 8 ".ktv[0:7]"  741 0 755 30 775 -25 789 0 793 0 813 24 833 -20 853 0;
createNode animCurveTA -n "LeftShoulder_rotateX";
	rename -uid "9EB2A8B7-C1D9-5E1A-B6F5-DAD63E3986A5";
	setAttr ".tan" 18;
	setAttr ".wgt" no;
	setAttr -s 11 ".ktv[0:10]"  861 0 875 60 895 -70 909 0 1009 0 1021 48 1033 -56 1045 48
		 1057 -56 1069 48 1081 0;
createNode animCurveTA -n "LeftShoulder_rotateY";
	rename -uid "1224259D-E54D-58F4-AD40-876E7FD1A4EA";
	setAttr ".tan" 18;
	setAttr ".wgt" no;
	setAttr -s 9 ".ktv[0:8]"  909 0 923 70 943 -45 957 0 1009 0 1027 56 1045 -36 1063 56
		 1081 0;
createNode animCurveTA -n "LeftShoulder_rotateZ";
	rename -uid "3DAB8B93-99CA-558F-AF64-801801716C96";
	setAttr ".tan" 18;
	setAttr ".wgt" no;
	setAttr -s 8 ".ktv[0:7]"  957 0 971 105 991 -40 1005 0 1009 0 1033 84 1057 -32 1081 0;
createNode animCurveTA -n "LeftElbow_rotateZ";
	rename -uid "8B95118B-AEF0-5A3F-A6FB-0C186F870377";
	setAttr ".tan" 3;
	setAttr ".wgt" no;
	setAttr -s 4 ".ktv[0:3]"  1089 0 1103 145 1123 0 1137 0;
createNode animCurveTA -n "LeftWrist_rotateY";
	rename -uid "D8991B95-6FD9-5712-B338-41D4E2D03324";
	setAttr ".tan" 18;
	setAttr ".wgt" no;
	setAttr -s 10 ".ktv[0:9]"  1145 0 1159 60 1179 -70 1193 0 1245 0 1257 48 1269 -56 1281 48
		 1293 -56 1305 0;
createNode animCurveTA -n "LeftWrist_rotateZ";
	rename -uid "1483881D-9D6C-5DE0-B957-CEA1696A49AF";
	setAttr ".tan" 18;
	setAttr ".wgt" no;
	setAttr -s 8 ".ktv[0:7]"  1193 0 1207 25 1227 -35 1241 0 1245 0 1265 20 1285 -28 1305 0;
createNode animCurveTA -n "RightClavicle_rotateY";
	rename -uid "AC988725-9134-577D-BE9E-EA16B2EF969B";
	setAttr ".tan" 18;
	setAttr ".wgt" no;
	setAttr -s 10 ".ktv[0:9]"  693 0 707 35 727 -15 741 0 793 0 805 28 817 -12 829 28
		 841 -12 853 0;
createNode animCurveTA -n "RightClavicle_rotateZ";
	rename -uid "11C8169E-E950-522D-AE9C-CE0BD8A6496E";
	setAttr ".tan" 18;
	setAttr ".wgt" no;
	setAttr -s 8 ".ktv[0:7]"  741 0 755 30 775 -25 789 0 793 0 813 24 833 -20 853 0;
createNode animCurveTA -n "RightShoulder_rotateX";
	rename -uid "FB39AF8B-AF27-540D-B8AA-455A02A6295D";
	setAttr ".tan" 18;
	setAttr ".wgt" no;
	setAttr -s 11 ".ktv[0:10]"  861 0 875 60 895 -70 909 0 1009 0 1021 48 1033 -56 1045 48
		 1057 -56 1069 48 1081 0;
createNode animCurveTA -n "RightShoulder_rotateY";
	rename -uid "08A52259-A621-53D6-8F49-E6D7D2761792";
	setAttr ".tan" 18;
	setAttr ".wgt" no;
	setAttr -s 9 ".ktv[0:8]"  909 0 923 70 943 -45 957 0 1009 0 1027 56 1045 -36 1063 56
		 1081 0;
createNode animCurveTA -n "RightShoulder_rotateZ";
	rename -uid "7628D3BE-4265-5901-913E-17DB956701D3";
	setAttr ".tan" 18;
	setAttr ".wgt" no;
	setAttr -s 8 ".ktv[0:7]"  957 0 971 105 991 -40 1005 0 1009 0 1033 84 1057 -32 1081 0;
createNode animCurveTA -n "RightElbow_rotateZ";
	rename -uid "2FFA3986-569D-57E5-A17C-7905B764942A";
	setAttr ".tan" 3;
	setAttr ".wgt" no;
	setAttr -s 4 ".ktv[0:3]"  1089 0 1103 145 1123 0 1137 0;
createNode animCurveTA -n "RightWrist_rotateY";
	rename -uid "31A34033-6DB5-586F-87F9-D112FA8999C5";
	setAttr ".tan" 18;
	setAttr ".wgt" no;
	setAttr -s 10 ".ktv[0:9]"  1145 0 1159 60 1179 -70 1193 0 1245 0 1257 48 1269 -56 1281 48
		 1293 -56 1305 0;
createNode animCurveTA -n "RightWrist_rotateZ";
	rename -uid "8C113E2C-CABC-54D2-A214-ECE2F7EE9BEE";
	setAttr ".tan" 18;
	setAttr ".wgt" no;
	setAttr -s 8 ".ktv[0:7]"  1193 0 1207 25 1227 -35 1241 0 1245 0 1265 20 1285 -28 1305 0;
createNode animCurveTA -n "LeftHip_rotateX";
	rename -uid "932E85B8-FF7F-5615-8A39-7B27633DA101";
	setAttr ".tan" 18;
	setAttr ".wgt" no;
	setAttr -s 11 ".ktv[0:10]"  1313 0 1327 35 1347 -40 1361 0 1461 0 1473 28 1485 -32 1497 28
		 1509 -32 1521 28 1533 0;
createNode animCurveTA -n "LeftHip_rotateY";
	rename -uid "D9D7DA46-2E7B-58CA-9914-02B25E5DA124";
	setAttr ".tan" 18;
	setAttr ".wgt" no;
	setAttr -s 9 ".ktv[0:8]"  1361 0 1375 45 1395 -25 1409 0 1461 0 1479 36 1497 -20 1515 36
		 1533 0;
createNode animCurveTA -n "LeftHip_rotateZ";
	rename -uid "F838BB0D-8046-5705-BA3A-ADFC9996AA33";
	setAttr ".tan" 18;
	setAttr ".wgt" no;
	setAttr -s 8 ".ktv[0:7]"  1409 0 1423 110 1443 -25 1457 0 1461 0 1485 88 1509 -20 1533 0;
createNode animCurveTA -n "LeftKnee_rotateX";
	rename -uid "95E5E40F-8C30-5F9F-A859-788C2959C56D";
	setAttr ".tan" 2;
	setAttr ".wgt" no;
	setAttr -s 49 ".ktv[0:48]"  1541 0 1542 0.371896 1543 1.458481 1544 3.237852 1545 5.652358 1546 8.546887 1547 11.652489 1548 14.629161
		 1549 17.152548 1550 19.002617 1551 20.115225 1552 20.583768 1553 20.619199 1554 20.482538 1555 20.402996 1556 20.44458
		 1557 20.541466 1558 20.62774 1559 20.617379 1560 20.418884 1561 19.949264 1562 19.146682 1563 17.980702 1564 16.458976
		 1565 14.629161 1566 12.574961 1567 10.405978 1568 8.242708 1569 6.199923 1570 4.372653 1571 2.828208 1572 1.605661
		 1573 0.722113 1574 0.183838 1575 0 1576 0 1577 0 1578 0 1579 0 1580 0
		 1581 0 1582 0 1583 0 1584 0 1585 0 1586 0 1587 0 1588 0
		 1589 0;
createNode animCurveTA -n "LeftKnee_rotateY";
	rename -uid "89A9FD06-385D-5FE3-9E79-D0C23A34C243";
	setAttr ".tan" 2;
	setAttr ".wgt" no;
	setAttr -s 49 ".ktv[0:48]"  1541 0 1542 -0.258882 1543 -0.913189 1544 -1.703978 1545 -2.312452 1546 -2.423913 1547 -1.806677 1548 -0.382767
		 1549 1.742922 1550 4.311944 1551 6.986031 1552 9.430994 1553 11.377424 1554 12.638686 1555 13.08513 1556 12.863431
		 1557 12.225429 1558 11.211125 1559 9.86728 1560 8.255952 1561 6.459509 1562 4.580427 1563 2.735426 1564 1.044594
		 1565 -0.382767 1566 -1.462942 1567 -2.150053 1568 -2.442752 1569 -2.383633 1570 -2.051653 1571 -1.549798 1572 -0.991097
		 1573 -0.485701 1574 -0.13037 1575 0 1576 0 1577 0 1578 0 1579 0 1580 0
		 1581 0 1582 0 1583 0 1584 0 1585 0 1586 0 1587 0 1588 0
		 1589 0;
createNode animCurveTA -n "LeftKnee_rotateZ";
	rename -uid "B1C77227-BF72-57AB-B0E2-D681E1C3E185";
	setAttr ".tan" 2;
	setAttr ".wgt" no;
	setAttr -s 49 ".ktv[0:48]"  1541 0 1542 -1.990721 1543 -7.5737 1544 -16.171607 1545 -27.202243 1546 -40.059757 1547 -54.107058 1548 -68.694024
		 1549 -83.194142 1550 -97.029041 1551 -109.657375 1552 -120.536473 1553 -129.087341 1554 -134.68764 1555 -136.695227 1556 -135.696228
		 1557 -132.842673 1558 -128.35449 1559 -122.452268 1560 -115.350663 1561 -107.253918 1562 -98.35497 1563 -88.838727 1564 -78.888609
		 1565 -68.694024 1566 -58.45578 1567 -48.387081 1568 -38.709746 1569 -29.647562 1570 -21.419954 1571 -14.238549 1572 -8.307325
		 1573 -3.825278 1574 -0.989873 1575 0 1576 0 1577 0 1578 0 1579 0 1580 0
		 1581 0 1582 0 1583 0 1584 0 1585 0 1586 0 1587 0 1588 0
		 1589 0;
createNode animCurveTA -n "LeftAnkle_rotateX";
	rename -uid "6764169B-7806-5EF7-9E9B-E5300A25D42E";
	setAttr ".tan" 18;
	setAttr ".wgt" no;
	setAttr -s 10 ".ktv[0:9]"  1597 0 1611 35 1631 -20 1645 0 1697 0 1709 28 1721 -16 1733 28
		 1745 -16 1757 0;
createNode animCurveTA -n "LeftAnkle_rotateZ";
	rename -uid "29399A23-9CD8-5B8E-9AA9-FE04D0AF1748";
	setAttr ".tan" 18;
	setAttr ".wgt" no;
	setAttr -s 8 ".ktv[0:7]"  1645 0 1659 25 1679 -45 1693 0 1697 0 1717 20 1737 -36 1757 0;
createNode animCurveTA -n "LeftToe_rotateZ";
	rename -uid "81B3B83D-7902-5389-BB48-361E3C38E892";
	setAttr ".tan" 18;
	setAttr ".wgt" no;
	setAttr -s 4 ".ktv[0:3]"  1765 0 1779 60 1799 -30 1813 0;
createNode animCurveTA -n "RightHip_rotateX";
	rename -uid "ACA371AC-4DED-52B6-8DA2-D8E53A50DDBA";
	setAttr ".tan" 18;
	setAttr ".wgt" no;
	setAttr -s 11 ".ktv[0:10]"  1313 0 1327 35 1347 -40 1361 0 1461 0 1473 28 1485 -32 1497 28
		 1509 -32 1521 28 1533 0;
createNode animCurveTA -n "RightHip_rotateY";
	rename -uid "B45F1953-EDE8-5DD1-9E7F-02E2B0EA8A9F";
	setAttr ".tan" 18;
	setAttr ".wgt" no;
	setAttr -s 9 ".ktv[0:8]"  1361 0 1375 45 1395 -25 1409 0 1461 0 1479 36 1497 -20 1515 36
		 1533 0;
createNode animCurveTA -n "RightHip_rotateZ";
	rename -uid "BE3A7846-2583-5C08-996D-8874FEA829BC";
	setAttr ".tan" 18;
	setAttr ".wgt" no;
	setAttr -s 8 ".ktv[0:7]"  1409 0 1423 110 1443 -25 1457 0 1461 0 1485 88 1509 -20 1533 0;
createNode animCurveTA -n "RightKnee_rotateX";
	rename -uid "09663FCD-504E-5090-9C78-A4B056066C19";
	setAttr ".tan" 2;
	setAttr ".wgt" no;
	setAttr -s 49 ".ktv[0:48]"  1541 0 1542 0.371896 1543 1.458481 1544 3.237852 1545 5.652358 1546 8.546887 1547 11.652489 1548 14.629161
		 1549 17.152548 1550 19.002617 1551 20.115225 1552 20.583768 1553 20.619199 1554 20.482538 1555 20.402996 1556 20.44458
		 1557 20.541466 1558 20.62774 1559 20.617379 1560 20.418884 1561 19.949264 1562 19.146682 1563 17.980702 1564 16.458976
		 1565 14.629161 1566 12.574961 1567 10.405978 1568 8.242708 1569 6.199923 1570 4.372653 1571 2.828208 1572 1.605661
		 1573 0.722113 1574 0.183838 1575 0 1576 0 1577 0 1578 0 1579 0 1580 0
		 1581 0 1582 0 1583 0 1584 0 1585 0 1586 0 1587 0 1588 0
		 1589 0;
createNode animCurveTA -n "RightKnee_rotateY";
	rename -uid "4746BC80-6A97-57A4-8D17-63D0AAD1F0A6";
	setAttr ".tan" 2;
	setAttr ".wgt" no;
	setAttr -s 49 ".ktv[0:48]"  1541 0 1542 -0.258882 1543 -0.913189 1544 -1.703978 1545 -2.312452 1546 -2.423913 1547 -1.806677 1548 -0.382767
		 1549 1.742922 1550 4.311944 1551 6.986031 1552 9.430994 1553 11.377424 1554 12.638686 1555 13.08513 1556 12.863431
		 1557 12.225429 1558 11.211125 1559 9.86728 1560 8.255952 1561 6.459509 1562 4.580427 1563 2.735426 1564 1.044594
		 1565 -0.382767 1566 -1.462942 1567 -2.150053 1568 -2.442752 1569 -2.383633 1570 -2.051653 1571 -1.549798 1572 -0.991097
		 1573 -0.485701 1574 -0.13037 1575 0 1576 0 1577 0 1578 0 1579 0 1580 0
		 1581 0 1582 0 1583 0 1584 0 1585 0 1586 0 1587 0 1588 0
		 1589 0;
createNode animCurveTA -n "RightKnee_rotateZ";
	rename -uid "9E70EC9D-7640-54CC-BA05-1B9DBE763F96";
	setAttr ".tan" 2;
	setAttr ".wgt" no;
	setAttr -s 49 ".ktv[0:48]"  1541 0 1542 -1.990721 1543 -7.5737 1544 -16.171607 1545 -27.202243 1546 -40.059757 1547 -54.107058 1548 -68.694024
		 1549 -83.194142 1550 -97.029041 1551 -109.657375 1552 -120.536473 1553 -129.087341 1554 -134.68764 1555 -136.695227 1556 -135.696228
		 1557 -132.842673 1558 -128.35449 1559 -122.452268 1560 -115.350663 1561 -107.253918 1562 -98.35497 1563 -88.838727 1564 -78.888609
		 1565 -68.694024 1566 -58.45578 1567 -48.387081 1568 -38.709746 1569 -29.647562 1570 -21.419954 1571 -14.238549 1572 -8.307325
		 1573 -3.825278 1574 -0.989873 1575 0 1576 0 1577 0 1578 0 1579 0 1580 0
		 1581 0 1582 0 1583 0 1584 0 1585 0 1586 0 1587 0 1588 0
		 1589 0;
createNode animCurveTA -n "RightAnkle_rotateX";
	rename -uid "8FC38344-4AA3-5A71-B9A5-3578DE8A99C9";
	setAttr ".tan" 18;
	setAttr ".wgt" no;
	setAttr -s 10 ".ktv[0:9]"  1597 0 1611 35 1631 -20 1645 0 1697 0 1709 28 1721 -16 1733 28
		 1745 -16 1757 0;
createNode animCurveTA -n "RightAnkle_rotateZ";
	rename -uid "F23037F4-9750-52D5-A286-34486EA24B5E";
	setAttr ".tan" 18;
	setAttr ".wgt" no;
	setAttr -s 8 ".ktv[0:7]"  1645 0 1659 25 1679 -45 1693 0 1697 0 1717 20 1737 -36 1757 0;
createNode animCurveTA -n "RightToe_rotateZ";
	rename -uid "B9ED69BA-5230-5F81-8E89-285FB3B9A471";
	setAttr ".tan" 18;
	setAttr ".wgt" no;
	setAttr -s 4 ".ktv[0:3]"  1765 0 1779 60 1799 -30 1813 0;
connectAttr "Hips_translateX.o" "Hips.tx";
connectAttr "Hips_translateY.o" "Hips.ty";
connectAttr "Hips_translateZ.o" "Hips.tz";
connectAttr "Hips_rotateX.o" "Hips.rx";
connectAttr "Hips_rotateY.o" "Hips.ry";
connectAttr "Hips_rotateZ.o" "Hips.rz";
connectAttr "Spine_rotateX.o" "Spine.rx";
connectAttr "Spine_rotateY.o" "Spine.ry";
connectAttr "Spine_rotateZ.o" "Spine.rz";
connectAttr "Neck_rotateX.o" "Neck.rx";
connectAttr "Neck_rotateY.o" "Neck.ry";
connectAttr "Neck_rotateZ.o" "Neck.rz";
connectAttr "Head_rotateX.o" "Head.rx";
connectAttr "Head_rotateY.o" "Head.ry";
connectAttr "Head_rotateZ.o" "Head.rz";
connectAttr "LeftClavicle_rotateY.o" "LeftClavicle.ry";
connectAttr "LeftClavicle_rotateZ.o" "LeftClavicle.rz";
connectAttr "LeftShoulder_rotateX.o" "LeftShoulder.rx";
connectAttr "LeftShoulder_rotateY.o" "LeftShoulder.ry";
connectAttr "LeftShoulder_rotateZ.o" "LeftShoulder.rz";
connectAttr "LeftElbow_rotateZ.o" "LeftElbow.rz";
connectAttr "LeftWrist_rotateY.o" "LeftWrist.ry";
connectAttr "LeftWrist_rotateZ.o" "LeftWrist.rz";
connectAttr "RightClavicle_rotateY.o" "RightClavicle.ry";
connectAttr "RightClavicle_rotateZ.o" "RightClavicle.rz";
connectAttr "RightShoulder_rotateX.o" "RightShoulder.rx";
connectAttr "RightShoulder_rotateY.o" "RightShoulder.ry";
connectAttr "RightShoulder_rotateZ.o" "RightShoulder.rz";
connectAttr "RightElbow_rotateZ.o" "RightElbow.rz";
connectAttr "RightWrist_rotateY.o" "RightWrist.ry";
connectAttr "RightWrist_rotateZ.o" "RightWrist.rz";
connectAttr "LeftHip_rotateX.o" "LeftHip.rx";
connectAttr "LeftHip_rotateY.o" "LeftHip.ry";
connectAttr "LeftHip_rotateZ.o" "LeftHip.rz";
connectAttr "LeftKnee_rotateX.o" "LeftKnee.rx";
connectAttr "LeftKnee_rotateY.o" "LeftKnee.ry";
connectAttr "LeftKnee_rotateZ.o" "LeftKnee.rz";
connectAttr "LeftAnkle_rotateX.o" "LeftAnkle.rx";
connectAttr "LeftAnkle_rotateZ.o" "LeftAnkle.rz";
connectAttr "LeftToe_rotateZ.o" "LeftToe.rz";
connectAttr "RightHip_rotateX.o" "RightHip.rx";
connectAttr "RightHip_rotateY.o" "RightHip.ry";
connectAttr "RightHip_rotateZ.o" "RightHip.rz";
connectAttr "RightKnee_rotateX.o" "RightKnee.rx";
connectAttr "RightKnee_rotateY.o" "RightKnee.ry";
connectAttr "RightKnee_rotateZ.o" "RightKnee.rz";
connectAttr "RightAnkle_rotateX.o" "RightAnkle.rx";
connectAttr "RightAnkle_rotateZ.o" "RightAnkle.rz";
connectAttr "RightToe_rotateZ.o" "RightToe.rz";
connectAttr "Hips.s" "Spine.is";
connectAttr "Spine.s" "Chest.is";
connectAttr "Chest.s" "Neck.is";
connectAttr "Neck.s" "Head.is";
connectAttr "Chest.s" "LeftClavicle.is";
connectAttr "LeftClavicle.s" "LeftShoulder.is";
connectAttr "LeftShoulder.s" "LeftElbow.is";
connectAttr "LeftElbow.s" "LeftWrist.is";
connectAttr "Chest.s" "RightClavicle.is";
connectAttr "RightClavicle.s" "RightShoulder.is";
connectAttr "RightShoulder.s" "RightElbow.is";
connectAttr "RightElbow.s" "RightWrist.is";
connectAttr "Hips.s" "LeftHip.is";
connectAttr "LeftHip.s" "LeftKnee.is";
connectAttr "LeftKnee.s" "LeftAnkle.is";
connectAttr "LeftAnkle.s" "LeftToe.is";
connectAttr "Hips.s" "RightHip.is";
connectAttr "RightHip.s" "RightKnee.is";
connectAttr "RightKnee.s" "RightAnkle.is";
connectAttr "RightAnkle.s" "RightToe.is";
connectAttr "Humanoid_grp.msg" "bindPose1.m[0]";
connectAttr "Hips.msg" "bindPose1.m[1]";
connectAttr "Spine.msg" "bindPose1.m[2]";
connectAttr "Chest.msg" "bindPose1.m[3]";
connectAttr "Neck.msg" "bindPose1.m[4]";
connectAttr "Head.msg" "bindPose1.m[5]";
connectAttr "LeftClavicle.msg" "bindPose1.m[6]";
connectAttr "LeftShoulder.msg" "bindPose1.m[7]";
connectAttr "LeftElbow.msg" "bindPose1.m[8]";
connectAttr "LeftWrist.msg" "bindPose1.m[9]";
connectAttr "RightClavicle.msg" "bindPose1.m[10]";
connectAttr "RightShoulder.msg" "bindPose1.m[11]";
connectAttr "RightElbow.msg" "bindPose1.m[12]";
connectAttr "RightWrist.msg" "bindPose1.m[13]";
connectAttr "LeftHip.msg" "bindPose1.m[14]";
connectAttr "LeftKnee.msg" "bindPose1.m[15]";
connectAttr "LeftAnkle.msg" "bindPose1.m[16]";
connectAttr "LeftToe.msg" "bindPose1.m[17]";
connectAttr "RightHip.msg" "bindPose1.m[18]";
connectAttr "RightKnee.msg" "bindPose1.m[19]";
connectAttr "RightAnkle.msg" "bindPose1.m[20]";
connectAttr "RightToe.msg" "bindPose1.m[21]";
connectAttr "bindPose1.w" "bindPose1.p[0]";
connectAttr "bindPose1.m[0]" "bindPose1.p[1]";
connectAttr "bindPose1.m[1]" "bindPose1.p[2]";
connectAttr "bindPose1.m[2]" "bindPose1.p[3]";
connectAttr "bindPose1.m[3]" "bindPose1.p[4]";
connectAttr "bindPose1.m[4]" "bindPose1.p[5]";
connectAttr "bindPose1.m[3]" "bindPose1.p[6]";
connectAttr "bindPose1.m[6]" "bindPose1.p[7]";
connectAttr "bindPose1.m[7]" "bindPose1.p[8]";
connectAttr "bindPose1.m[8]" "bindPose1.p[9]";
connectAttr "bindPose1.m[3]" "bindPose1.p[10]";
connectAttr "bindPose1.m[10]" "bindPose1.p[11]";
connectAttr "bindPose1.m[11]" "bindPose1.p[12]";
connectAttr "bindPose1.m[12]" "bindPose1.p[13]";
connectAttr "bindPose1.m[1]" "bindPose1.p[14]";
connectAttr "bindPose1.m[14]" "bindPose1.p[15]";
connectAttr "bindPose1.m[15]" "bindPose1.p[16]";
connectAttr "bindPose1.m[16]" "bindPose1.p[17]";
connectAttr "bindPose1.m[1]" "bindPose1.p[18]";
connectAttr "bindPose1.m[18]" "bindPose1.p[19]";
connectAttr "bindPose1.m[19]" "bindPose1.p[20]";
connectAttr "bindPose1.m[20]" "bindPose1.p[21]";
connectAttr "Hips.bps" "bindPose1.wm[1]";
connectAttr "Spine.bps" "bindPose1.wm[2]";
connectAttr "Chest.bps" "bindPose1.wm[3]";
connectAttr "Neck.bps" "bindPose1.wm[4]";
connectAttr "Head.bps" "bindPose1.wm[5]";
connectAttr "LeftClavicle.bps" "bindPose1.wm[6]";
connectAttr "LeftShoulder.bps" "bindPose1.wm[7]";
connectAttr "LeftElbow.bps" "bindPose1.wm[8]";
connectAttr "LeftWrist.bps" "bindPose1.wm[9]";
connectAttr "RightClavicle.bps" "bindPose1.wm[10]";
connectAttr "RightShoulder.bps" "bindPose1.wm[11]";
connectAttr "RightElbow.bps" "bindPose1.wm[12]";
connectAttr "RightWrist.bps" "bindPose1.wm[13]";
connectAttr "LeftHip.bps" "bindPose1.wm[14]";
connectAttr "LeftKnee.bps" "bindPose1.wm[15]";
connectAttr "LeftAnkle.bps" "bindPose1.wm[16]";
connectAttr "LeftToe.bps" "bindPose1.wm[17]";
connectAttr "RightHip.bps" "bindPose1.wm[18]";
connectAttr "RightKnee.bps" "bindPose1.wm[19]";
connectAttr "RightAnkle.bps" "bindPose1.wm[20]";
connectAttr "RightToe.bps" "bindPose1.wm[21]";
// End of humanoid_rom.ma
