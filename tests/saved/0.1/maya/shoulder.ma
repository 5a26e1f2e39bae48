//Maya ASCII 2025 scene
//Name: projected_live_before.ma
//Codeset: UTF-8
requires maya "2025";
currentUnit -l centimeter -a degree -t film;
createNode transform -s -n "persp";
createNode camera -s -n "perspShape" -p "persp";
createNode transform -s -n "top";
createNode camera -s -n "topShape" -p "top";
createNode transform -s -n "front";
createNode camera -s -n "frontShape" -p "front";
createNode transform -s -n "side";
createNode camera -s -n "sideShape" -p "side";
createNode transform -n "arm";
	rename -uid "8B89D95D-86DE-4CEC-AC50-CFF2D85A607B";
createNode joint -n "shoulder" -p "arm";
	rename -uid "902F6F4A-00B1-4278-BEFD-848F411A4EFD";
	setAttr ".jox" 20;
	setAttr ".joy" -35;
	setAttr ".joz" 50;
	setAttr ".rax" 5;
	setAttr ".ray" 12;
	setAttr ".raz" -8;
	setAttr ".ro" 2;
createNode joint -n "elbow" -p "shoulder";
	rename -uid "B4DD2AF7-1D54-4665-BCA2-46CAFDF597D5";
createNode animCurveTA -n "shoulder_rotateX";
	rename -uid "5A08ADBC-66F9-45B4-AA44-05D5578B81FA";
	setAttr ".tan" 18;
	setAttr ".wgt" no;
	setAttr -s 5 ".ktv[0:4]" 1 0 10 30 20 80 30 -60 40 5;
createNode animCurveTA -n "shoulder_rotateY";
	rename -uid "A51FD870-FE68-4847-B68F-C038BC9D8B02";
	setAttr ".tan" 18;
	setAttr ".wgt" no;
	setAttr -s 5 ".ktv[0:4]" 1 0 10 -20 20 40 30 30 40 -5;
createNode animCurveTA -n "shoulder_rotateZ";
	rename -uid "FDC3C67D-EFD2-48D5-8DA8-F36954D5AF6E";
	setAttr ".tan" 18;
	setAttr ".wgt" no;
	setAttr -s 5 ".ktv[0:4]" 1 10 10 70 20 -50 30 20 40 0;
select -ne :time1;
	setAttr ".o" 1;
connectAttr "shoulder_rotateX.o" "shoulder.rx";
connectAttr "shoulder_rotateY.o" "shoulder.ry";
connectAttr "shoulder_rotateZ.o" "shoulder.rz";
// End of projected_live_before.ma
